import * as v from 'valibot';
import type { AddressForm, Details } from './details';

/** The details that are typed. */
type TypedDetail = Exclude<keyof Details, 'private_house'>;

/** What can be wrong with a detail before the server has seen it. */
export type DetailProblem = 'room-required' | 'bell-name-required' | 'detail-required' | 'too-long';

/** How long each detail may be, in characters. */
const longest: Record<TypedDetail, number> = {
  room: 20,
  building: 60,
  rear_building: 40,
  entrance: 20,
  floor: 20,
  intercom: 40,
  bell_name: 60,
  landmark: 200,
  description: 300,
};

const requiredProblems: Partial<Record<TypedDetail, DetailProblem>> = {
  room: 'room-required',
  bell_name: 'bell-name-required',
};

const tooLong: DetailProblem = 'too-long';

/** Returns the rules of the details that are asked for and of the comment; other details are never wrong. */
export function detailRules(asked: AddressForm) {
  const ruleOf = (name: TypedDetail) => {
    const question = asked.find(({ field }) => field === name);
    const text = v.pipe(v.string(), v.trim(), v.maxLength(longest[name], tooLong));
    if (question?.is_required)
      return v.pipe(text, v.nonEmpty(requiredProblems[name] ?? 'detail-required'));
    return question || name === 'description' ? text : v.string();
  };
  return {
    room: ruleOf('room'),
    private_house: v.boolean(),
    building: ruleOf('building'),
    rear_building: ruleOf('rear_building'),
    entrance: ruleOf('entrance'),
    floor: ruleOf('floor'),
    intercom: ruleOf('intercom'),
    bell_name: ruleOf('bell_name'),
    landmark: ruleOf('landmark'),
    description: ruleOf('description'),
  };
}

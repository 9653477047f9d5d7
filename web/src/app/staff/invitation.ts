/**
 * The script of the page on which staff accept an invitation (`internal/server/page/invitation.go`). It
 * stands alone: the page has neither React nor a catalogue of texts, and all texts are in its HTML. The
 * invitation is the fragment of the address, which no log and no other site sees.
 */
import './invitation.css';
import type { operations, paths } from '@/api/schema';

type Offer = operations['operatorOpenInvitation']['responses'][200]['content']['application/json'];
type Accepted =
  operations['operatorAcceptInvitation']['responses'][200]['content']['application/json'];
type Problem =
  operations['operatorOpenInvitation']['responses']['default']['content']['application/json'];

/** The answer to a call: its body, or the status and the problem. `status` is 0 when the site cannot be reached. */
type Answer<Body> = { ok: true; body: Body } | { ok: false; status: number; problem: Problem };

/** Returns an element of the page by its id. */
const find = <Kind extends HTMLElement = HTMLElement>(id: string) =>
  document.getElementById(id) as Kind;

const page = find('invitation');
const form = find<HTMLFormElement>('form');
const password = find<HTMLInputElement>('password');
const code = find<HTMLInputElement>('code');
const fields = { password, code };
const invitation = takeInvitation();

/** Returns the invitation and removes it from the address bar and the history. */
function takeInvitation(): string {
  const fragment = location.hash.slice(1);
  history.replaceState(null, '', location.pathname + location.search);
  return fragment;
}

/** Calls the sign-in of staff. */
async function callSignIn<Body>(path: keyof paths, body: object): Promise<Answer<Body>> {
  try {
    const response = await fetch(`/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    return response.ok
      ? { ok: true, body: answer }
      : { ok: false, status: response.status, problem: answer };
  } catch {
    return { ok: false, status: 0, problem: { message: page.dataset.noConnection ?? '' } };
  }
}

/** Opens the invitation and shows its offer, or why it cannot be opened; a retry when that may help. */
async function openInvitation() {
  find('retry').hidden = true;
  showProblem('');
  if (!invitation) {
    showProblem(page.dataset.noInvitation ?? '');
    return;
  }
  find('loading').hidden = false;
  const answer = await callSignIn<Offer>('/operator/sign-in/invitation', { invitation });
  find('loading').hidden = true;
  if (answer.ok) {
    showOffer(answer.body);
    return;
  }
  showProblem(answer.problem.message);
  // No answer (0), too many calls and faults of the server may pass; any other refusal stays.
  find('retry').hidden = answer.status > 0 && answer.status < 429;
}

/** Shows the form with name, login and the secret for the authenticator. */
function showOffer(offer: Offer) {
  find('name').textContent = offer.name;
  find('login').textContent = offer.login;
  find<HTMLInputElement>('username').value = offer.login;
  find<HTMLImageElement>('qr').src = offer.totp_qr;
  find<HTMLAnchorElement>('app-link').href = offer.totp_url;
  // In groups of four letters, which are easier to type.
  find('secret').textContent = (offer.totp_secret.match(/.{1,4}/g) ?? []).join(' ');
  form.hidden = false;
}

/** Shows a message above the form; an empty one removes it. */
function showProblem(message: string) {
  find('problem').textContent = message;
}

/** Shows the error of each field and focuses the first field with one. Returns whether there is any error. */
function showFieldErrors(errors: Problem['errors'] = {}): boolean {
  let isFirst = true;
  for (const [name, field] of Object.entries(fields)) {
    const error = errors[name]?.[0] ?? '';
    find(`${name}-error`).textContent = error;
    if (!error) {
      field.removeAttribute('aria-invalid');
      continue;
    }
    field.setAttribute('aria-invalid', 'true');
    if (isFirst) field.focus();
    isFirst = false;
  }
  return !isFirst;
}

let isSending = false;

/**
 * Accepts the invitation with the entered password and code. Shows the recovery codes, or the errors; an
 * invitation that is gone hides the form. Does nothing while a call is being sent.
 */
async function acceptInvitation() {
  if (isSending) return;
  isSending = true;
  find('accept').setAttribute('aria-busy', 'true');
  showProblem('');
  showFieldErrors();
  const answer = await callSignIn<Accepted>('/operator/sign-in/invitation/accept', {
    invitation,
    password: password.value,
    code: code.value.replace(/\s/g, ''),
  });
  isSending = false;
  find('accept').removeAttribute('aria-busy');
  if (answer.ok) {
    showCodes(answer.body.recovery_codes);
  } else if (answer.status === 404) {
    form.hidden = true;
    showProblem(answer.problem.message);
  } else if (!showFieldErrors(answer.problem.errors)) {
    showProblem(answer.problem.message);
  }
}

/** Shows the recovery codes, which the server shows only this once. */
function showCodes(codes: string[]) {
  form.hidden = true;
  form.reset();
  find('codes').replaceChildren(
    ...codes.map((each) => {
      const item = document.createElement('li');
      item.textContent = each;
      return item;
    }),
  );
  find('done').hidden = false;
  find('done-heading').focus();
}

/** Copies the recovery codes; selects them where the browser does not let a page copy. */
async function copyCodes() {
  const list = find('codes');
  const codes = Array.from(list.children, (item) => item.textContent).join('\n');
  try {
    await navigator.clipboard.writeText(codes);
    find('copied').textContent = find('copied').dataset.text ?? '';
  } catch {
    getSelection()?.selectAllChildren(list);
  }
}

/** Shows the password, or hides it again. */
function togglePassword() {
  const isShown = password.type === 'text';
  password.type = isShown ? 'password' : 'text';
  find('show').setAttribute('aria-pressed', String(!isShown));
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void acceptInvitation();
});
find('show').addEventListener('click', togglePassword);
find('copy').addEventListener('click', () => void copyCodes());
find('retry').addEventListener('click', () => void openInvitation());
// Another link that is opened in this tab changes the fragment alone.
window.addEventListener('hashchange', () => location.reload());
void openInvitation();

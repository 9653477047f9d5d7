// All forms by name.
import { pizza } from './pizza.mjs';
import { roll } from './rolls.mjs';
import { nigiri, gunkan, sashimi, onigiri } from './fish.mjs';
import { board } from './board.mjs';
import { wok, soup, poke, salad, pasta, hummus, sauce, side } from './bowls.mjs';
import { shawarma, pita, grill } from './shawarma.mjs';
import { pieces, calzone, focaccia, burger, sandwich } from './snacks.mjs';
import { drink } from './drinks.mjs';
import { dessert } from './desserts.mjs';

const FORMS = {
  pizza, 'pizza-half': pizza, calzone, focaccia, pasta, sandwich, burger,
  uramaki: roll, maki: roll, futomaki: roll, 'hot-roll': roll, nigiri, gunkan, sashimi, onigiri, board,
  wok, soup, poke, salad, hummus, sauce, side, shawarma, pita, plate: grill, pieces, drink, dessert,
};

/** Draws a checked recipe: {scene, tilt, lift}. */
export const draw = (recipe, kitchen) => FORMS[recipe.form](recipe, kitchen);

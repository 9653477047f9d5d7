// Sauces and drinks by colour.
import { hex } from '../draw/colour.mjs';

const list = (text) => Object.fromEntries(text.trim().split(/\s+/).map((pair) => {
  const [name, colour, second] = pair.split(':');
  return [name, { colour: hex(colour), second: hex(second ?? colour) }];
}));

/** Sauces: main colour and the colour of their depth or flecks. */
export const SAUCES = list(`
tomato:#c8321a:#9a1c0c cream:#fdf3dc:#f3dfb4 alfredo:#fbefd0:#efd9a2 white-sauce:#fffaee:#8fae5a garlic-sauce:#fdf6e2:#93b060 mayo:#fff3cc:#f6dfa0
spicy-mayo:#f9a66a:#e2622a spicy:#f28440:#c43c12 teriyaki:#4a1e0c:#2a0e04 unagi:#3c180c:#220a04 soy:#2a1008:#140604 sweet-chili:#e2501c:#b4200a
chili-sauce:#c8200c:#8a0e06 sriracha:#d8300e:#a81a08 bbq:#6e2410:#44120a ketchup:#c81c0e:#980e06 mustard:#e8b41e:#c48a10 honey-mustard:#efc04a:#8a5c14
cheese-sauce:#ffc24a:#f29c22 pesto:#5c8a2a:#33601a tahini:#eedcb4:#d2b47c hummus:#eed6a0:#d4b06a beet-hummus:#c0386c:#92184a muhammara:#b8401c:#7c200c
baba-ghanoush:#cdb48a:#9c7c50 labneh:#fffaf0:#efe4cc curry:#e2a01e:#b46f0c ranch:#fcf6e2:#7ea050 caesar:#f9edc8:#b0a060 tartar:#fbf3d6:#86a050 tzatziki:#f7fae8:#7cae5c
wasabi-sauce:#c4dc80:#8cb83c peanut-sauce:#c8904c:#94602a nut-sauce:#dfc08c:#a07c48 adjika:#b81c0c:#7c0c06 tkemali:#8a1c2c:#5c0c1c narsharab:#5c0c1c:#340610
honey:#eea414:#c06c06 guacamole:#a4c450:#6c9428 ginger-sauce:#e8c890:#c8964c oyster:#3c200e:#200e06 black-pepper-sauce:#4a2c18:#20100a thai-sauce:#e2682c:#a83410
truffle-sauce:#d8c8a4:#4a3828 balsamic:#3a1418:#1c080a olive-oil:#cfb02a:#a88a10 bolognese:#a8381a:#6c200c carbonara:#fbecc0:#efcf80 lemon-sauce:#fbe88c:#e8c83a
ponzu:#8a4a18:#5a2a0c burger-sauce:#f6b488:#c8623a thousand-island:#f7ae8a:#cc5a34 chocolate-sauce:#4a2010:#2a0e06 caramel:#cf7f1c:#9a520c berry-sauce:#b4143c:#7a0824
condensed-milk:#fff0cc:#f6dca0 mango-sauce:#ffb01e:#ee8a06 blue-cheese-sauce:#f6f2e2:#7c94a4 sour-cream:#fffdf4:#f2ead8`);

/** Sauces with herbs or grains in them. */
export const FLECKED = new Set(['white-sauce', 'garlic-sauce', 'honey-mustard', 'ranch', 'tartar', 'tzatziki', 'caesar', 'truffle-sauce', 'blue-cheese-sauce', 'sweet-chili', 'adjika', 'tkemali', 'pesto', 'guacamole', 'muhammara', 'black-pepper-sauce', 'thousand-island', 'burger-sauce', 'bolognese', 'baba-ghanoush', 'thai-sauce', 'nut-sauce']);

/** Drinks: colour at the glass and in the depth. */
export const LIQUIDS = list(`
water:#dff1fa:#c4e4f2 cola:#4a1c0a:#240a04 orange-soda:#ff9416:#f27400 lemon-soda:#f2f4c4:#e2e892 green-soda:#7cd03c:#4aa81c orange-juice:#ffa41e:#f58a06 apple-juice:#ecc44a:#d8a01e
cherry-juice:#a80c22:#6c0412 tomato-juice:#d02a14:#a41608 multifruit-juice:#ff8a3c:#ee6418 pineapple-juice:#fbe060:#f2c82c grape-juice:#64184a:#3c0a2c lemonade:#f9ee9c:#f2dc58
lemonade-mint:#dcf0a4:#b4dc68 lemonade-berry:#e83c64:#b81444 lemonade-mango:#ffb83a:#f59412 lemonade-cucumber:#cdeaae:#a4d47c kompot:#c83c34:#94181a mors:#c81838:#8e0820 ayran:#fbfbf4:#eef0e6
kefir:#fffdf4:#f4efe0 milk:#ffffff:#f4f2ea milkshake-vanilla:#fff1cc:#f6e0a4 milkshake-chocolate:#a8703f:#7c4a22 milkshake-strawberry:#f9a8b4:#ee7c90 green-tea:#d4cc62:#aca63a black-tea:#b4501a:#7c2c08
fruit-tea:#d03c2c:#9c1a14 iced-tea:#c8742a:#9a4a10 iced-tea-peach:#e89a4a:#c86c1e coffee:#3c1c0c:#200c04 latte:#d8a470:#b4783f cappuccino:#e2b888:#b07840 matcha:#a4c464:#78a038 cocoa:#8a5530:#5f341a
kvass:#6c3410:#40180a beer:#f2b02a:#d88a0c lager:#f9d05a:#eeb22c wine-red:#6c0a24:#400414 wine-white:#f4eab0:#e6d67c sake:#f6f8f4:#e8ede6 smoothie-berry:#a42c74:#7a1454 smoothie-mango:#ffb42c:#f89812
smoothie-green:#8cbc3c:#649a1c energy:#d8e63c:#b0c414 pomegranate-juice:#a80e30:#6e041a tarhun:#4cc03c:#229a24 baikal:#5c2810:#341206`);

// What the dishes are made of: every ingredient's look and how one piece of it lies.
import { mottled as M, fibrous as F, roasted as R, fish, crumbly as C, beady, banded as B, gradient as G } from './looks.mjs';
import { block, strip, slice, ball, leaf, prawn, shreds } from './shapes.mjs';
import { chambered, cured, ringed } from './faces.mjs';

const whole = {};

function add(name, look, piece, more = {}) {
  whole[name] = { name, look, piece, ...more };
}
const cube = (look, w, t, more) => block(look, { w, h: w * 0.85, t, ...more });
const slab = (look, w, h, t, more) => block(look, { w, h, t, ...more });
const nut = (c1, c2, r, more) => { const l = M(c1, c2, { scale: 9, gloss: 0.35 }); return [l, ball(l, { r, oval: 0.35, squash: 0.8, rough: 0.15, ...more })]; };
const flat = (c1, c2, o) => M(c1, c2, o);

// Fish and sea
{
  const s = fish('#fb6f3a', '#ffc4a0'); add('salmon', s, slab(s, 62, 44, 13, { rough: 0.06 }), { slab: true });
  const ss = R('#f79a6c', '#e0763f', '#6a3015', { amount: 0.5, gloss: 0.5 }); add('salmon-seared', ss, slab(ss, 62, 44, 13), { slab: true });
  const sm = fish('#f2602e', '#ffad84', { gap: 13 }); add('salmon-smoked', sm, slab(sm, 74, 46, 9, { rough: 0.2, follow: 0.4 }), { slab: true });
  const tu = fish('#c21c34', '#e0616c', { gap: 21, width: 0.2 }); add('tuna', tu, slab(tu, 58, 46, 15, { rough: 0.05 }), { slab: true });
  const tf = F('#e2b795', '#b98663', { across: 6, along: 16, gloss: 0.15, bump: 2.6 }); add('tuna-flaked', tf, block(tf, { w: 46, h: 34, t: 15, rough: 0.5 }));
  const ee = R('#a55a22', '#74300d', '#2c0f04', { amount: 0.55, gloss: 0.85, scale: 18 }); add('eel', ee, slab(ee, 64, 42, 14), { slab: true });
  const pe = fish('#f5ded2', '#fdf3ec', { gap: 15, width: 0.3 }); add('perch', pe, slab(pe, 60, 42, 12), { slab: true });
  const sh = B(['#ff8f60', '#ffe3d2', '#ffb18a'], { gap: 15, gloss: 0.55 }); add('shrimp', sh, prawn(sh, '#f0552a', {}), { slab: true });
  const ti = B(['#ff7640', '#ffc9a5', '#f4592a'], { gap: 17, gloss: 0.6 }); add('tiger-shrimp', ti, prawn(ti, '#e2431c', { r: 42, body: 23 }), { slab: true });
  const te = C('#f1bd62', '#d48a2c', { grain: 8, bump: 5 }); add('shrimp-tempura', te, prawn(te, '#f0622c', { r: 44, body: 24 }), { slab: true });
  const cr = B(['#fff3ec', '#ffe5da', '#fff3ec', '#f2502f'], { gap: 15, along: true, gloss: 0.4 }); add('crab', cr, strip(cr, { l: 74, w: 26, t: 16, bend: 0.06, taper: 0.02, rim: '#f0603a' }));
  const sc = F('#fff0e2', '#f3bfa0', { across: 7, along: 26, bump: 2.5 }); add('snow-crab', sc, block(sc, { w: 50, h: 30, t: 16, rough: 0.35 }));
  const sp = R('#fbe9cf', '#e9bd80', '#b9752f', { amount: 0.35, gloss: 0.5 }); add('scallop', sp, slice((q, a, u, v, o, s2) => sp(u, v, o, s2), { r: 30, t: 18, edge: 9 }), { slab: true });
  const sq = M('#fdf4ea', '#efdccb', { gloss: 0.6 }); add('squid', sq, slice((q, a, u, v, o, s2) => sq(u, v, o, s2), { r: 34, hole: 0.6, t: 14 }), { slab: true });
  const oc = M('#b34459', '#6d1d33', { gloss: 0.6, scale: 10 }); add('octopus', oc, slice(ringed([[0, '#fdf0ee'], [0.72, '#fdf0ee'], [0.8, '#a02f48']]), { r: 27, t: 16 }), { slab: true });
  const mu = M('#f5a04a', '#d8701f', { gloss: 0.7, scale: 10 }); add('mussel', mu, strip(mu, { l: 56, w: 36, t: 17, bend: 0.25, taper: 0.6, rim: '#3a2530', vary: 0.1 }));
  const an = F('#8d5a3c', '#4b2a1b', { across: 6, gloss: 0.6 }); add('anchovy', an, strip(an, { l: 96, w: 17, bend: 0.3, taper: 0.6, rim: '#5c6168' }));
  for (const [n, a, b, g, size] of [['caviar-red', '#ff4a12', '#c81e04', 9, 8], ['tobiko-orange', '#ffa21e', '#e4590a', 7.5, 4.8], ['tobiko-black', '#4a4450', '#0c0a10', 7.5, 4.8], ['tobiko-green', '#b4d82f', '#5e9412', 7.5, 4.8], ['tobiko-red', '#ff4438', '#b80f14', 7.5, 4.8]]) {
    const l = beady(a, b, { grain: g, bump: g * 0.6 });
    const one = ball(M(a, b, { gloss: 0.95, soft: 0.8 }), { r: size, squash: 1 });
    add(n, l, shreds(one, { n: g > 8 ? 12 : 22, spread: g > 8 ? 26 : 22 }), { coat: true, heap: true });
  }
  const ch = M('#3f9a35', '#1c5a1c', { gloss: 0.7 }); add('chuka', ch, shreds(strip(ch, { l: 52, w: 6, t: 6, bend: 0.9 }), { n: 11, spread: 24 }), { heap: true });
  const no = M('#1d3325', '#0b1710', { scale: 6, gloss: 0.35 }); add('nori', no, strip(no, { l: 52, w: 10, t: 3, bend: 0.2, flat: true }));
  const bo = F('#e8b796', '#b5704d', { across: 9, along: 22, gloss: 0.3, bump: 1 }); add('bonito', bo, strip(bo, { l: 44, w: 25, t: 4, bend: 0.8, flat: true, follow: 0.6 }), { coat: true });
}
add('seafood-mix', whole.shrimp.look, (s, at, z, r) => whole[r.pick(['shrimp', 'squid', 'mussel', 'octopus'])].piece(s, at, z, r));

// Meat
for (const [n, c, b, d, am, w] of [['chicken', '#ecc590', '#cf9348', '#8d4e1a', 0.45, 58], ['chicken-grilled', '#e5b06c', '#b06a28', '#4f2209', 0.7, 62], ['chicken-smoked', '#e8b682', '#c37a3e', '#8d4416', 0.45, 54], ['turkey', '#eed3ac', '#d2a066', '#94602b', 0.4, 58], ['pork', '#dba377', '#b06a38', '#6a3113', 0.55, 60], ['shashlik', '#c98650', '#8a431a', '#391405', 0.75, 84], ['lamb', '#a4603b', '#733516', '#331204', 0.6, 60], ['beef', '#95532f', '#653013', '#2c1004', 0.6, 60], ['veal', '#b8805b', '#8a4c28', '#4f230d', 0.5, 60], ['duck', '#a9603a', '#7f3716', '#3d1505', 0.6, 62]]) {
  const l = R(c, b, d, { amount: am, gloss: 0.45, bump: 2.4 }); add(n, l, block(l, { w, h: w * 0.66, t: 19, rough: 0.3, round: 0.6 }), { meat: true });
}
{
  const cf = C('#eeb354', '#c77a22', { grain: 7, bump: 4 }); add('chicken-fried', cf, block(cf, { w: 66, h: 48, t: 24, rough: 0.3, round: 0.7 }));
  const bj = F('#7d2d1a', '#45120a', { gloss: 0.5 }); add('beef-jerky', bj, strip(bj, { l: 70, w: 18, t: 8, bend: 0.3, flat: true }));
  const ba = B(['#b8402c', '#f2c3a0', '#a33020', '#d96f50'], { gap: 9, gloss: 0.6, along: true }); add('bacon', ba, strip(ba, { l: 82, w: 28, t: 6, bend: 0.5, flat: true, follow: 0.6 }), { slab: true });
  const ha = M('#f4a69c', '#ea8880', { gloss: 0.4 }); add('ham', ha, slab(ha, 62, 44, 6, { rough: 0.12, follow: 0.6, rim: '#d9776d' }));
  const disk = (n, f, r, t, look, more) => add(n, look, slice(f, { r, t, ...more }));
  disk('pepperoni', cured({ c: '#cf3a20', fat: '#e8744a', rim: '#7e150a', much: 0.25 }), 44, 6, M('#cf3a20', '#8e1d0e'), { cup: 4, gloss: 0.6 });
  disk('salami', cured({ c: '#b8343a', fat: '#f2cfc4', rim: '#7a1c1e', much: 0.5, grain: 6 }), 42, 5, M('#b8343a', '#e2a79c'), { cup: 2 });
  disk('chorizo', cured({ c: '#c23a10', fat: '#f0955a', rim: '#701805', much: 0.4 }), 34, 7, M('#c23a10', '#80200a'), { cup: 4, gloss: 0.6 });
  disk('sausage', cured({ c: '#e08a6a', fat: '#f0b294', rim: '#a04726', much: 0.3 }), 27, 11, M('#e08a6a', '#c2603d'));
  disk('hunter-sausage', cured({ c: '#b04a2c', fat: '#e5a27e', rim: '#5c1c0c', much: 0.42 }), 26, 11, M('#b04a2c', '#6f2512'));
  disk('mortadella', cured({ c: '#f4b3a6', fat: '#fff0e8', rim: '#e89484', much: 0.3 }), 56, 4, M('#f4b3a6', '#fff0e8'), { follow: 0.7, cup: 5 });
  const pr = B(['#c4443c', '#e0766a', '#f6d6c6', '#b8362f'], { gap: 17, gloss: 0.4 }); add('prosciutto', pr, block(pr, { w: 96, h: 58, t: 9, rough: 0.4, follow: 0.5 }));
  const mb = R('#9a5a34', '#6b3317', '#30120a', { amount: 0.5, gloss: 0.55 }); add('meatballs', mb, ball(mb, { r: 29, rough: 0.14 }), { meat: true });
  const mi = C('#9a5833', '#5f2c14', { grain: 6, bump: 4 }); add('minced-meat', mi, shreds(ball(mi, { r: 9, rough: 0.3, oval: 0.3 }), { n: 9, spread: 26 }), { meat: true });
  const fa = C('#a5712a', '#623a10', { grain: 6, bump: 4 }); add('falafel', fa, ball(fa, { r: 38, squash: 0.75, rough: 0.1 }));
  const ke = R('#a9602f', '#6f3316', '#2e0f04', { amount: 0.6, gloss: 0.42, bump: 4.5, scale: 11 });
  add('kebab', ke, strip(ke, { l: 190, w: 52, t: 40, bend: 0.05, taper: 0.12, vary: 0.05, follow: 0, rough: 0.3 }), { meat: true, long: true });
  add('lula-kebab', ke, strip(ke, { l: 220, w: 58, t: 42, bend: 0.03, taper: 0.1, vary: 0.04, follow: 0, rough: 0.26 }), { meat: true, long: true });
  const cu = R('#8a4a26', '#5e2b12', '#2a0e05', { amount: 0.6, gloss: 0.4 }); add('cutlet', cu, slice((q, a, u, v, o, s) => cu(u, v, o, s), { r: 74, t: 26, edge: 16, follow: 0.2 }), { wide: true });
  const tf = R('#fbf0d6', '#efcf98', '#c89248', { amount: 0.25 }); add('tofu', tf, cube(tf, 44, 26, { round: 0.15, rough: 0.04 }));
}

// Egg and cheese
{
  const egg = ringed([[0, '#ffb21a'], [0.5, '#fffaf0']], { mottle: 0.05 });
  add('egg', M('#ffc64a', '#fff3d8'), slice(egg, { r: 36, t: 12, edge: 8, gloss: 0.5, oval: 0.2 }));
  add('egg-fried', M('#fffaf0', '#fff0d0'), slice((q, a, u, v, o, s) => { egg(q * 1.25, a, u, v, o, s); o.z += q < 0.42 ? 9 * Math.sqrt(1 - (q / 0.42) ** 2) : 0; }, { r: 74, t: 6, gloss: 0.6, follow: 0.8 }), { wide: true });
  const om = R('#fbd75c', '#f2b93a', '#c98a25', { amount: 0.2, scale: 20 }); add('omelette', om, slab(om, 58, 40, 16, { round: 0.2, rough: 0.05 }), { slab: true });
  const melted = M('#ffe7a6', '#fbc65e', { scale: 30, gloss: 0.5, soft: 0.6 });
  const grated = (c1, c2) => { const l = M(c1, c2, { gloss: 0.25, soft: 0.5 }); return [l, shreds(strip(l, { l: 34, w: 6, t: 5, bend: 0.4 }), { n: 9, spread: 30 })]; };
  add('mozzarella', M('#fff3cf', '#fbdc98', { gloss: 0.45 }), block(melted, { w: 60, h: 48, t: 5, rough: 0.5, follow: 0.9 }), { melts: '#ffd884' });
  const mf = M('#fffdf6', '#fbeed2', { scale: 24, gloss: 0.6, soft: 0.9 }); add('mozzarella-fresh', mf, slice((q, a, u, v, o, s) => mf(u, v, o, s), { r: 46, t: 13, edge: 11, oval: 0.2, follow: 0.6 }));
  add('burrata', mf, ball(mf, { r: 74, squash: 0.6, rough: 0.06 }), { wide: true });
  const pa = M('#fdeec0', '#f3d892', { gloss: 0.15 }); add('parmesan', pa, block(pa, { w: 50, h: 26, t: 4, rough: 0.35, follow: 0.6 }));
  add('cheddar', M('#ffae34', '#f2901a', { gloss: 0.45, scale: 24 }), grated('#ffb23e', '#f09018')[1], { melts: '#ffb545', slab: true });
  add('gouda', M('#ffd968', '#f7bf40', { gloss: 0.4, scale: 24 }), grated('#ffdf7c', '#f6c048')[1], { melts: '#ffd978', slab: true });
  add('suluguni', M('#fff4d4', '#f5dfa8', { gloss: 0.4 }), grated('#fff6dc', '#f4dda8')[1], { melts: '#ffe2a0' });
  const fe = C('#fffdf8', '#efe8da', { grain: 9, bump: 2 }); add('feta', fe, cube(fe, 36, 24, { round: 0.15, rough: 0.12 }));
  const bl = M('#fbf6e4', '#e9e6d2'); const blue = (u, v, o, s) => { bl(u, v, o, s); const q = Math.sin(u / 5 + v / 9 + s) * Math.sin(v / 6 - u / 11); if (q > 0.5) { o.r *= 0.35; o.g *= 0.5; o.b *= 0.55; } };
  add('blue-cheese', blue, block(blue, { w: 36, h: 28, t: 15, rough: 0.4 }));
  const creamy = (c1, c2) => M(c1, c2, { scale: 26, gloss: 0.45, soft: 0.9 });
  for (const [n, c1, c2] of [['cream-cheese', '#fffdf4', '#f6efdc'], ['ricotta', '#fffaf0', '#f3ead6'], ['mascarpone', '#fffaec', '#f7ecd0']]) { const l = creamy(c1, c2); add(n, l, block(l, { w: 42, h: 36, t: 15, rough: 0.4, round: 0.8, follow: 0.3 })); }
  const hl = R('#fbeecb', '#e9b860', '#a8661c', { amount: 0.45 }); add('halloumi', hl, slab(hl, 74, 40, 14, { round: 0.2 }));
  const cm = M('#fff6da', '#f7e6b4', { soft: 0.7 }); add('camembert', cm, slab(cm, 62, 34, 14, { round: 0.3, rim: '#fffdf6' }));
}

// Vegetables
{
  const tomato = chambered({ skin: '#c81808', flesh: '#ee4a2c', gel: '#e8360f', seed: '#f7d08a', n: 5 });
  add('tomato', M('#e53a1c', '#f2684a', { gloss: 0.6, scale: 18 }), slice(tomato, { r: 46, t: 9, gloss: 0.6 }), { cut: true });
  add('cherry-tomato', M('#ee2e16', '#c81408', { gloss: 0.9 }), slice(chambered({ skin: '#c21206', flesh: '#f05434', gel: '#e23a12', seed: '#fbd892', n: 3, heart: 0.1 }), { r: 25, t: 15, edge: 8, gloss: 0.75 }));
  const sd = M('#a5200e', '#6a0e06', { gloss: 0.7 }); add('sun-dried-tomato', sd, strip(sd, { l: 46, w: 22, t: 10, bend: 0.7, rough: 0.4 }));
  add('cucumber', G('#e2f2b8', '#b4dc84', 60), slice(chambered({ skin: '#2f7a28', flesh: '#d8eeb0', gel: '#c3e494', seed: '#eff7d4', n: 3, heart: 0.05, rind: 0.66 }), { r: 37, t: 8, gloss: 0.5 }), { skin: '#2f7a28' });
  add('pickle', G('#b8bf5a', '#93a03a', 60), slice(chambered({ skin: '#56701e', flesh: '#b4bc58', gel: '#9aa53c', seed: '#dfe0a0', n: 3, heart: 0.05, rind: 0.7 }), { r: 30, t: 7, gloss: 0.6 }), { skin: '#56701e' });
  const shred = (n, c1, c2, l, w, count, more = {}) => { const k = M(c1, c2, { gloss: 0.35, soft: 0.6, scale: 20 }); add(n, k, shreds(strip(k, { l, w, t: w * 0.7, bend: 0.7, ...more }), { n: count, spread: 24 }), { shred: true }); };
  shred('cabbage', '#f2f6d2', '#d2e6a0', 56, 9, 8); shred('red-cabbage', '#8e2f78', '#5c1752', 54, 8, 8); shred('napa-cabbage', '#f4f6d4', '#b8d878', 54, 15, 5);
  shred('kimchi', '#e8682c', '#f2c070', 50, 17, 5); shred('carrot', '#ff8a22', '#f06c0c', 52, 7, 8); shred('daikon', '#ffffff', '#eef0e6', 54, 6, 9); shred('sprouts', '#fffbe8', '#f0ecc8', 56, 6, 8); shred('crispy-onion', '#c98532', '#8a4a14', 28, 8, 9); shred('leek', '#d8ecaa', '#8cc24c', 30, 9, 8); shred('sweet-potato', '#f28a3a', '#dd6a1c', 52, 12, 4);
  const pepper = (n, c1, c2) => { const l = M(c1, c2, { gloss: 0.8, scale: 22 }); add(n, l, strip(l, { l: 78, w: 19, t: 11, bend: 0.8, taper: 0.1 }), { strip: true }); };
  pepper('red-pepper', '#e8240e', '#c01404'); pepper('green-pepper', '#4fa82a', '#2f7e18'); pepper('yellow-pepper', '#ffc81e', '#f2a408');
  add('bell-pepper', whole['red-pepper'].look, (s, at, z, r) => whole[r.pick(['red-pepper', 'yellow-pepper', 'green-pepper', 'red-pepper'])].piece(s, at, z, r));
  const onion = (n, c1, edge) => { const l = M(c1, '#ffffff', { gloss: 0.4, soft: 0.8 }); add(n, l, strip(l, { l: 72, w: 10, t: 8, bend: 1.6, rim: edge }), { strip: true }); };
  onion('onion', '#fbf6e8', '#e8dfc0'); onion('red-onion', '#eccade', '#8e2466'); onion('pickled-onion', '#f29ac0', '#d04a8a');
  add('green-onion', M('#7cc03c', '#4a962a', { gloss: 0.4 }), slice(ringed([[0, '#3f8a24'], [0.8, '#6cbc38'], [0.9, '#3f9424']]), { r: 10.5, t: 8, hole: 0.48 }), { small: true, coat: true, many: 2.2 });
  add('garlic', M('#fff8e2', '#f3e3b6'), slab(M('#fff8e2', '#f0dca6'), 24, 16, 6), { small: true });
  const cn = M('#ffd93c', '#f7b616', { gloss: 0.7 }); add('corn', cn, block(cn, { w: 19, h: 16, t: 14, round: 0.7 }), { small: true, many: 1.8 });
  const pe = M('#7cc23c', '#549c24', { gloss: 0.6 }); add('peas', pe, ball(pe, { r: 11 }), { small: true, many: 1.5 });
  const ed = M('#a4d45a', '#74b036', { gloss: 0.55 }); add('edamame', ed, ball(ed, { r: 15, oval: 0.4, squash: 0.7 }), { small: true });
  const gb = M('#5aa030', '#357418', { gloss: 0.6 }); add('green-beans', gb, strip(gb, { l: 84, w: 15, bend: 0.3 })); const as = M('#6ea83a', '#47801f', { gloss: 0.5 }); add('asparagus', as, strip(as, { l: 118, w: 16, bend: 0.12, taper: 0.1 }));
  const floret = (n, c1, c2, stalk) => { const l = C(c1, c2, { grain: 8, bump: 6 }), k = M(stalk, stalk); const head = ball(l, { r: 18, rough: 0.3 }), st = strip(k, { l: 44, w: 18, bend: 0.1, vary: 0.1 }); add(n, l, (s, at, z, r) => { st(s, { ...at }, z, r); const a = at.turn ?? 0, cx = at.x + Math.cos(a) * 20 * z, cy = at.y + Math.sin(a) * 20 * z; for (let i = 0; i < 5; i++) { const q = a + (i - 2) * 0.9; head(s, { x: cx + Math.cos(q) * 15 * z, y: cy + Math.sin(q) * 15 * z, turn: q, base: s.support(cx, cy, 12) * 0.6 }, z, r); } }); };
  floret('broccoli', '#6fae2e', '#2e6c14', '#9cc85c'); floret('cauliflower', '#fffbe8', '#e6dcb8', '#f2efd4');
  add('zucchini', G('#e8edb4', '#c9d880', 60), slice(ringed([[0, '#eff0c0'], [0.55, '#e2e8a4'], [0.9, '#4f8a24']]), { r: 38, t: 8 }));
  const eg = R('#e2cf9c', '#b58b48', '#5f3c14', { amount: 0.45 }); add('eggplant', eg, slice((q, a, u, v, o, s) => { eg(u, v, o, s); if (q > 0.88) { o.r = 0.07; o.g = 0.02; o.b = 0.09; } }, { r: 40, t: 9 }));
  const mu = M('#f6e7cc', '#dcc096', { soft: 0.5 });
  const cap = (o1) => (scene, at, z, r) => { const half = slice((q, a, u, v, o, s) => { mu(u, v, o, s); const g = v < 0 && q < 0.8 && v > -24 ? 0.72 : 1; o.r *= g; o.g *= g * 0.93; o.b *= g * 0.85; if (q > 0.9) { o.r *= o1[0]; o.g *= o1[1]; o.b *= o1[2]; } }, { r: 36, t: 8, part: 0.62 }); const stem = block(mu, { w: 22, h: 36, t: 8 }); const t = at.turn ?? 0; stem(scene, { ...at, x: at.x + Math.sin(t) * 18 * z, y: at.y - Math.cos(t) * 18 * z }, z, r); half(scene, { ...at }, z, r); };
  add('mushroom', mu, cap([0.62, 0.5, 0.38])); add('oyster-mushroom', mu, block(mu, { w: 58, h: 44, t: 10, rough: 0.5 }));
  const si = M('#8a5a34', '#5c3518', { gloss: 0.5, scale: 18 }); add('shiitake', si, block(si, { w: 56, h: 34, t: 14, rough: 0.2, round: 0.8, rim: '#3a1e0c' })); const wd = M('#4a2e24', '#22120e', { gloss: 0.7 }); add('wood-ear', wd, block(wd, { w: 48, h: 34, t: 9, rough: 0.6, follow: 0.4 }));
  const ring = (n, c, edge, r = 17) => add(n, M(c, edge, { gloss: 0.8 }), slice(ringed([[0, c], [0.8, edge]]), { r, t: 9, hole: 0.42, gloss: 0.85 }), { small: true });
  ring('olive', '#3a3036', '#14101a'); ring('green-olive', '#b5b048', '#7f8424'); ring('kalamata', '#5c2440', '#34102a');
  add('jalapeno', M('#79a832', '#4a7c18', { gloss: 0.6 }), slice(ringed([[0, '#d8e69a'], [0.72, '#a6c956'], [0.84, '#3f8420']]), { r: 23, t: 8, hole: 0.36, gloss: 0.6 })); add('chili', M('#e0200c', '#a80c04', { gloss: 0.8 }), slice(ringed([[0, '#f5905a'], [0.7, '#e8300f'], [0.85, '#c01404']]), { r: 14, t: 8, hole: 0.42, gloss: 0.8 }), { small: true });
  add('avocado', G('#e9efa0', '#9cc24a', 40, { gloss: 0.5 }), block(G('#eef0a4', '#8fba3e', 40, { gloss: 0.5 }), { w: 70, h: 30, t: 13, round: 0.6, rim: '#6f9a2a' }), { slab: true });
  const po = R('#f7dc8e', '#e8b650', '#b87a24', { amount: 0.35 }); add('potato', po, cube(po, 42, 22, { round: 0.35 })); const pw = R('#f4c862', '#d9922c', '#94541a', { amount: 0.5 }); add('potato-wedges', pw, strip(pw, { l: 108, w: 42, t: 30, bend: 0.3, taper: 0.75, rim: '#a8662c', vary: 0.12 }));
  const fr = R('#fbdb74', '#f0b43c', '#c47c20', { amount: 0.35, gloss: 0.4 }); add('fries', fr, strip(fr, { l: 120, w: 21, t: 20, bend: 0.14, taper: 0.02, flat: true, vary: 0.25, follow: 0.1 }));
  const tk = M('#ffd83a', '#f5be18', { gloss: 0.5 }); add('takuan', tk, strip(tk, { l: 62, w: 18, bend: 0.1 })); const gi = M('#ffc9b4', '#f7a894', { gloss: 0.6, soft: 0.9, scale: 20 }); add('ginger', gi, block(gi, { w: 56, h: 40, t: 6, rough: 0.5, follow: 0.6 }), { heap: true });
  const wa = C('#a8cc5c', '#7fae3a', { grain: 9, bump: 3 }); add('wasabi', wa, ball(wa, { r: 30, rough: 0.2, squash: 0.7 })); add('radish', M('#fff4f4', '#fbdbe0'), slice(ringed([[0, '#ffffff'], [0.9, '#e0244e']]), { r: 28, t: 5 }));
  const ar = F('#d8d08a', '#a8a050', { across: 9 }); add('artichoke', ar, block(ar, { w: 54, h: 40, t: 16, rough: 0.3, round: 0.6 })); const cp = M('#7f8a34', '#535c1c', { gloss: 0.5 }); add('capers', cp, ball(cp, { r: 9 }), { small: true });
  const bam = F('#f5e2a4', '#e0c070', { across: 8 }); add('bamboo', bam, strip(bam, { l: 62, w: 18, flat: true, t: 8 })); const rb = M('#8a2418', '#54100c', { gloss: 0.7 }); add('red-beans', rb, ball(rb, { r: 15, oval: 0.4, squash: 0.75 }), { small: true });
  const cp2 = M('#ecc987', '#cf9f55', { gloss: 0.45 }); add('chickpeas', cp2, ball(cp2, { r: 14, rough: 0.1 }), { small: true }); const le = M('#c88a3c', '#8f5a1e', { gloss: 0.3 }); add('lentils', le, ball(le, { r: 7, squash: 0.5 }), { small: true, many: 2 });
  const pk = R('#ffa336', '#ee7f14', '#b4540a', { amount: 0.3 }); add('pumpkin', pk, cube(pk, 42, 22)); const bt = M('#9c1444', '#5f0828', { gloss: 0.55 }); add('beetroot', bt, cube(bt, 38, 20)); const tr = M('#4a3628', '#241812', { scale: 6 }); add('truffle', tr, slice(cured({ c: '#5a4232', fat: '#a88e6c', rim: '#1c120c', much: 0.4, grain: 5 }), { r: 27, t: 4 }));
}

// Leaves and herbs
for (const [n, c1, c2, o] of [['basil', '#2f7d1c', '#74b83c', { l: 78, w: 48, curl: 16 }], ['spinach', '#2c6e22', '#6aa83c', { l: 84, w: 46, curl: 12 }], ['mint', '#3c9440', '#86cc6a', { l: 56, w: 32, teeth: 0.12, n: 9 }], ['arugula', '#3f8424', '#7cb444', { l: 96, w: 42, teeth: 0.62, n: 3.5, curl: 14, stem: '#a4cc6a' }], ['lettuce', '#6cb02c', '#c4e078', { l: 128, w: 96, teeth: 0.14, n: 9, curl: 26, stem: '#e4f0b8' }], ['romaine', '#5ca02a', '#c0dc74', { l: 110, w: 62, teeth: 0.1, n: 6, curl: 20, stem: '#eaf2c6' }], ['iceberg', '#a4cc54', '#e8f4b8', { l: 92, w: 80, teeth: 0.12, n: 7, curl: 22, stem: '#f4f8da' }], ['cilantro', '#3f9430', '#7cc252', { l: 42, w: 38, teeth: 0.5, n: 3, curl: 6, stem: '#6cb044' }], ['parsley', '#2f8420', '#62ac3a', { l: 44, w: 40, teeth: 0.55, n: 4, curl: 6, stem: '#5ca036' }], ['oregano', '#4a7c34', '#84a85a', { l: 26, w: 17 }], ['microgreens', '#58aa34', '#a4d86c', { l: 28, w: 20, curl: 8 }]]) {
  add(n, M(c1, c2, { scale: 10 }), leaf(c1, c2, o), { leafy: true, ...(n === 'oregano' || n === 'microgreens' ? { small: true, many: 1.6 } : {}) });
}
add('mixed-greens', whole.lettuce.look, (s, at, z, r) => whole[r.pick(['lettuce', 'arugula', 'spinach', 'romaine'])].piece(s, at, z * 0.9, r), { leafy: true });
for (const [n, c1, c2, l, w, k] of [['dill', '#3f8a2a', '#6cb83e', 26, 3.4, 11], ['rosemary', '#3f6a3c', '#7c9c64', 22, 4.4, 9], ['thyme', '#567a3c', '#86a45c', 13, 5, 8], ['lemongrass', '#e2ecb0', '#b4cc70', 60, 10, 2]]) { const look = M(c1, c2, { scale: 8 }); add(n, look, shreds(strip(look, { l, w, t: w, bend: 0.5, follow: 0.7 }), { n: k, spread: 15 }), { small: true, coat: n === 'dill' }); }

// Fruit
{
  const chunk = (n, c1, c2, w, t, more) => { const l = F(c1, c2, { across: 9, along: 26, gloss: 0.6, bump: 1 }); add(n, l, block(l, { w, h: w * 0.8, t, ...more }), { slab: n === 'mango' }); };
  chunk('pineapple', '#ffe05a', '#f5be22', 46, 16, { round: 0.25 }); chunk('mango', '#ffb52a', '#f8940c', 42, 18); chunk('pear', '#f7f0c4', '#ead99a', 62, 12, { rim: '#c4b850' }); chunk('apple', '#fbf5d0', '#eee0a0', 56, 12, { rim: '#d03a24' }); chunk('peach', '#ffbe62', '#f58a3c', 54, 16, { rim: '#d9502c' }); chunk('coconut', '#ffffff', '#f4f0e6', 26, 6); chunk('fig', '#c2405e', '#8a1c44', 44, 16, { rim: '#4a1848' });
  const disc = (n, f, r, t, c1, c2, more) => add(n, M(c1, c2, { gloss: 0.6 }), slice(f, { r, t, gloss: 0.6, ...more }));
  disc('banana', ringed([[0, '#e8cf86'], [0.22, '#fbeebc'], [0.92, '#f2dc92']]), 29, 12, '#fbeebc', '#f0d888'); disc('strawberry', ringed([[0, '#ffd9cc'], [0.3, '#f77a68'], [0.75, '#e2202a']], { blur: 0.15 }), 30, 14, '#e8242c', '#c00f1c', { oval: 0.3 }); disc('orange', chambered({ skin: '#ff8a0a', flesh: '#fff0cc', gel: '#ff9c1e', n: 9, heart: 0.08, wallPart: 0.12 }), 46, 10, '#ff9c1e', '#f58408'); disc('lemon', chambered({ skin: '#f7cc10', flesh: '#fffbe0', gel: '#ffe660', n: 9, heart: 0.08, wallPart: 0.12 }), 38, 9, '#ffe23a', '#f7c81a'); disc('lime', chambered({ skin: '#4f9a1c', flesh: '#f2fad0', gel: '#bce060', n: 9, heart: 0.08, wallPart: 0.12 }), 34, 9, '#a8d83a', '#7cb81c'); disc('kiwi', ringed([[0, '#f4f6d0'], [0.22, '#4c7c14'], [0.42, '#8cc63a'], [0.93, '#6a4a24']], { radial: 0.15 }), 34, 10, '#8cc63a', '#5c9a1c');
  for (const [n, c1, c2, r, rough] of [['raspberry', '#e8244c', '#a80c2c', 19, 0.1], ['blackberry', '#3a1440', '#180822', 19, 0.1]]) { const l = beady(c1, c2, { grain: 9, gloss: 0.6 }); add(n, l, ball(l, { r, rough })); }
  for (const [n, c1, c2, r] of [['blueberry', '#4a5c9c', '#232c5c', 15], ['cherry', '#b80c20', '#64040e', 21], ['grape', '#a8cc50', '#74a028', 22], ['pomegranate', '#d8142c', '#96061a', 9], ['raisin', '#6a3418', '#3a180a', 10]]) { const l = M(c1, c2, { gloss: 0.85, soft: 0.7 }); add(n, l, ball(l, { r, oval: 0.15 }), { small: r < 12, many: 1.5 }); }
  const da = M('#6e2e10', '#3a1404', { gloss: 0.7 }); add('date', da, ball(da, { r: 24, oval: 0.4 }));
}

// Nuts, seeds, crunch
const ses = (c1, c2) => { const l = M(c1, c2, { gloss: 0.3 }); return [l, shreds(strip(l, { l: 12, w: 7, t: 5, bend: 0, taper: 0.75, vary: 0.1, follow: 0.1 }), { n: 5, spread: 26 })]; };
add('sesame', ...ses('#fbeed0', '#e8cd94'), { small: true, coat: true, many: 1.6 }); add('sesame-black', ...ses('#2e2822', '#100c0a'), { small: true, coat: true, many: 1.6 });
for (const [n, c1, c2, r] of [['peanut', '#e6bd80', '#c48f4c', 13], ['cashew', '#f5dfb0', '#deb878', 18], ['walnut', '#c08a4c', '#7f5024', 21], ['pistachio', '#a8b84a', '#74802c', 12], ['pine-nut', '#faeec8', '#e6cc8c', 9], ['almond', '#c8864a', '#93562a', 17], ['hazelnut', '#c28a50', '#8a5628', 15]]) add(n, ...nut(c1, c2, r), { small: true, coat: n === 'peanut' });
{
  const cr = R('#eeb964', '#cf8730', '#8f5014', { amount: 0.5 }); add('croutons', cr, cube(cr, 40, 30, { round: 0.2, rough: 0.1 }));
  const tri = (c1, c2) => { const l = R(c1, c2, '#a8641c', { amount: 0.3 }); return [l, block(l, { w: 66, h: 58, t: 6, round: 0.2, rough: 0.35 })]; };
  add('chips', ...tri('#fbd878', '#eab43c'), { coat: true }); add('nachos', ...tri('#fbc94e', '#e89f28')); add('pita-chips', ...tri('#edc98a', '#cf9a4a'));
  for (const [n, c1, c2] of [['panko', '#f0b455', '#cc7f25'], ['tempura-flakes', '#f7d486', '#e2a544'], ['granola', '#d49a4c', '#94602a']]) { const l = C(c1, c2, { grain: 5, bump: 4 }); add(n, l, shreds(ball(l, { r: 8, rough: 0.4 }), { n: 9, spread: 24 }), { coat: true }); }
  const co = M('#5c2c14', '#321408', { gloss: 0.6 }); add('chocolate', co, block(co, { w: 30, h: 24, t: 10, rough: 0.2 })); const ma = M('#ffffff', '#fbeef0', { soft: 0.9 }); add('marshmallow', ma, ball(ma, { r: 22, squash: 0.8 }));
}

// Bases and breads
const rice = M('#fffdf4', '#f1ead8', { gloss: 0.4, soft: 0.7, scale: 9 });
add('rice', rice, shreds(strip(rice, { l: 24, w: 11, t: 9, bend: 0.15, taper: 0.45, vary: 0.12, follow: 0.1 }), { n: 8, spread: 24 }), { base: true });
for (const [n, c1, c2, r] of [['quinoa', '#f0dfae', '#cfae6c', 6], ['bulgur', '#d9a95c', '#b07c34', 7.5], ['couscous', '#f2d684', '#dcb250', 5.5]]) { const l = M(c1, c2, { gloss: 0.25, soft: 0.4 }); add(n, l, shreds(ball(l, { r, rough: 0.2 }), { n: 12, spread: 24 }), { base: true }); }
for (const [n, c1, c2, w, l] of [['udon', '#fbedc8', '#eacb8c', 19, 210], ['soba', '#9c7a5a', '#6c4e34', 10, 200], ['egg-noodles', '#f7cf6a', '#e2a53a', 11, 200], ['glass-noodles', '#ede6cf', '#d4c79e', 8, 190], ['rice-noodles', '#fbf6e8', '#e9dec2', 17, 200], ['spaghetti', '#f9dc8e', '#e8b955', 11, 220], ['fettuccine', '#f9dd92', '#e9bd5c', 24, 210]]) {
  const k = M(c1, c2, { gloss: n === 'glass-noodles' ? 0.85 : 0.6, soft: 0.6, scale: 24 }); add(n, k, strip(k, { l, w, t: n === 'fettuccine' ? 7 : w * 0.8, bend: 1.5, taper: 0.02, follow: 0.3, flat: n === 'fettuccine' }), { base: true, noodle: w });
}
{
  const pn = F('#f9d886', '#e8b04a', { across: 4, along: 60 }); add('penne', pn, strip(pn, { l: 92, w: 29, t: 24, bend: 0.08, taper: 0, vary: 0.08, follow: 0.1 }), { base: true });
  const la = R('#f6e3bc', '#e2b876', '#a8682a', { amount: 0.25 }); add('lavash-strips', la, strip(la, { l: 66, w: 24, t: 5, bend: 0.6, flat: true })); const br = R('#e8b46c', '#c9853c', '#8a4c16', { amount: 0.4 }); add('bread', br, block(br, { w: 92, h: 60, t: 22, round: 0.5 })); add('pita-bread', la, block(la, { w: 104, h: 84, t: 10, round: 0.3, rough: 0.15 }));
}

/** All ingredients by name. */
export const INGREDIENTS = whole;

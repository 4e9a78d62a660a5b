import { createHash } from 'node:crypto'
import { type Paint, shapes, shapeWords } from './shapes.ts'

const side = 512

/** Colors as titles name them. */
const named: readonly [word: RegExp, color: string][] = [
  [/navy/i, '#27375c'],
  [/cream|ivory|écru/i, '#e6dcc3'],
  [/rust|terracotta/i, '#a9532f'],
  [/forest|green|grün/i, '#3f6346'],
  [/burgundy|wine|red\b|rot\b/i, '#742f3a'],
  [/black|schwarz/i, '#2b2b30'],
  [/camel|tan\b|beige/i, '#bd9465'],
  [/sky|blue|denim|blau/i, '#6d94b8'],
  [/mustard|yellow|brass|gold/i, '#c39a3a'],
  [/plum|purple|violet/i, '#6b4470'],
  [/silver|gr[ae]y/i, '#a8adb3'],
  [/white|weiß/i, '#efece6'],
]
const colors = [
  '#27375c',
  '#a9532f',
  '#3f6346',
  '#742f3a',
  '#bd9465',
  '#6d94b8',
  '#c39a3a',
  '#6b4470',
  '#8a6a4f',
  '#4f7f82',
]
const metals = ['#b9bdc2', '#c8a861', '#8b8f96', '#b07f4a']
const leathers = ['#2b2b30', '#4a3a2e', '#5c3029', '#2f3f38', '#39424f']
/** Wall and floor of the room in which the seller took the picture. */
const rooms = [
  ['#e9e4da', '#b48f68'],
  ['#d5dde0', '#8b8177'],
  ['#f1efec', '#e0dcd4'],
  ['#54606b', '#39322e'],
  ['#cfc4b2', '#6d5440'],
  ['#8fa39a', '#c9bda6'],
  ['#efe2d6', '#d7a98a'],
  ['#3b3f46', '#9b8a74'],
] as const

const drawn = new Map<string, Promise<Buffer>>()

/**
 * Draws a PNG of 512 pixels: the thing that `title` names, on the floor or against the wall of its seller's room. Color,
 * fabric and place depend on the item, so that no two look the same, and the view on `number`: the whole thing, its back, then
 * details. The same input gives the same picture.
 */
export function drawPicture(itemId: string, number: number, title: string): Promise<Buffer> {
  const svg = sketch(itemId, number, title)
  const before = drawn.get(svg)
  if (before) return before
  // Loaded with the first picture, since it takes memory and time of every start.
  const picture = import('sharp').then(({ default: sharp }) =>
    sharp(Buffer.from(svg)).png({ compressionLevel: 3 }).toBuffer(),
  )
  if (drawn.size > 2_000) drawn.clear()
  drawn.set(svg, picture)
  return picture
}

/** Returns values of an item that are the same at each call: `pick` chooses by a word, `between` gives a number. */
function chanceOf(itemId: string) {
  const share = (about: string) => createHash('sha1').update(`${about} of ${itemId}`).digest().readUInt32BE() / 2 ** 32
  return {
    between: (about: string, low: number, high: number) => low + share(about) * (high - low),
    pick: <T>(about: string, values: readonly T[]): T => values[Math.floor(share(about) * values.length)]!,
  }
}
type Chance = ReturnType<typeof chanceOf>

function sketch(itemId: string, number: number, title: string): string {
  const chance = chanceOf(itemId)
  const shape = shapeWords.find(([words]) => words.test(title))?.[1] ?? 'box'
  const metal = chance.pick('metal', metals)
  const isCamera = shape.includes('camera') || shape === 'twinlens'
  const main = named.find(([word]) => word.test(title))?.[1] ?? chance.pick('color', isCamera ? leathers : colors)
  const paint: Paint = {
    main,
    dark: shade(main, -0.35),
    light: isCamera ? chance.pick('body', ['#c3c6c9', '#a9adb1', '#d6d1c6', '#46484d']) : shade(main, 0.45),
    accent: metal,
  }
  const thing = shapes[shape]!(paint).replaceAll('{cloth}', 'url(#cloth)').replaceAll('{emblem}', emblem(chance, paint))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${side} ${side}">
<defs>${cloth(title, chance, paint)}</defs>
${room(chance, number)}
${view(chance, number, thing)}
${light(chance, number)}
</svg>`
}

/** Draws the thing with its shadow, as view number `number` shows it. */
function view(chance: Chance, number: number, thing: string): string {
  const place = (about: string, low: number, high: number) => chance.between(`${about} ${number}`, low, high)
  const isDetail = number > 2
  const size = isDetail ? place('close', 1.5, 2.1) : place('size', 0.8, 1.12)
  const away = isDetail ? 150 : 52
  const [x, y] = [side / 2 + place('x', -away, away), side / 2 + place('y', -away, away)]
  const mirror = (number === 2) !== place('flip', 0, 1) > 0.5 ? -1 : 1
  return `<ellipse cx="${x.toFixed(0)}" cy="${(y + 172 * size).toFixed(0)}" rx="${(160 * size).toFixed(0)}" ry="${(24 * size).toFixed(0)}" fill="#000" opacity=".24"/>
<g transform="translate(${x.toFixed(0)} ${y.toFixed(0)}) rotate(${place('turn', -26, 26).toFixed(1)}) scale(${(size * mirror).toFixed(2)} ${size.toFixed(2)})">${thing}</g>`
}

/** Draws the wall, the floor and what stands in the room. */
function room(chance: Chance, number: number): string {
  const [wall, floor] = chance.pick('room', rooms)
  const horizon = chance.between('horizon', 120, 470) + (number - 1) * 23
  const board = chance.between('board', 40, 110)
  const boards = Array.from({ length: 12 }, (_, n) => {
    const x = n * board + chance.between('first board', -60, 0)
    return `<path d="M${x} ${horizon} L${(x - 256) * 1.6 + 256} ${side}" stroke="${shade(floor, -0.18)}" stroke-width="3"/>`
  }).join('')
  const [left, wide] = [chance.between('left', -60, 420), chance.between('wide', 70, 220)]
  const [high, top] = [chance.between('high', 90, 330), chance.between('top', -60, 260)]
  const furniture = chance.pick('furniture', [
    `<rect x="${left}" y="${horizon - high}" width="${wide}" height="${high}" fill="${shade(wall, -0.28)}"/>`,
    `<rect x="${left}" y="${top}" width="${wide}" height="${high}" fill="${shade(wall, 0.5)}"/><path d="M${left + wide / 2} ${top} v${high}" stroke="${shade(wall, -0.2)}" stroke-width="8"/>`,
    `<circle cx="${left}" cy="${top + 120}" r="${wide / 1.4}" fill="${shade(wall, 0.3)}"/>`,
    `<path d="M${left} 0 q${wide / 2} ${high} 0 ${side} h${wide} q${wide / 3} ${-high} 0 ${-side} z" fill="${shade(floor, -0.3)}"/>`,
    `<ellipse cx="${left + 60}" cy="${side - 50}" rx="${wide * 1.3}" ry="${high / 3}" fill="${chance.pick('rug', colors)}"/>`,
  ])
  return `<rect width="${side}" height="${side}" fill="${wall}"/><path d="M0 ${horizon} h${side} v${side} h-${side} z" fill="${floor}"/>${boards}${furniture}`
}

/** Draws the shadow or the light that falls across the picture. */
function light(chance: Chance, number: number): string {
  const from = chance.between(`from ${number}`, -200, 500)
  const wide = chance.between(`beam ${number}`, 80, 320)
  const slope = chance.between(`slope ${number}`, -260, 260)
  const color = chance.pick(`light ${number}`, ['#fff', '#000'])
  return `<path d="M${from} 0 h${wide} l${slope} ${side} h${-wide} z" fill="${color}" opacity=".2"/>`
}

/** Returns the pattern of a fabric: the one that the title names, or one by chance. */
function cloth(title: string, chance: Chance, { main, dark, light }: Paint): string {
  const stripes = (step: number, width: number, color: string) =>
    `<path d="M0 0 v${step * 4} M${step} 0 v${step * 4} M${step * 2} 0 v${step * 4} M${step * 3} 0 v${step * 4}" stroke="${color}" stroke-width="${width}"/>`
  const weaves = {
    plain: '',
    fine: stripes(6, 2, dark),
    stripes: stripes(20, 7, light),
    checks: `${stripes(20, 9, dark)}<g transform="rotate(90 40 40)" opacity=".7">${stripes(20, 6, light)}</g>`,
    dots: [10, 50]
      .map((x) => [10, 50].map((y) => `<circle cx="${x}" cy="${y}" r="6" fill="${light}"/>`).join(''))
      .join(''),
    flowers: [
      [20, 20],
      [60, 56],
    ]
      .map(
        ([x, y]) =>
          `<g fill="${light}"><circle cx="${x! - 7}" cy="${y}" r="7"/><circle cx="${x! + 7}" cy="${y}" r="7"/><circle cx="${x}" cy="${y! - 7}" r="7"/><circle cx="${x}" cy="${y! + 7}" r="7"/></g><circle cx="${x}" cy="${y}" r="5" fill="${dark}"/>`,
      )
      .join(''),
  }
  const known: readonly [RegExp, keyof typeof weaves][] = [
    [/flannel|plaid|tartan|pendleton/i, 'checks'],
    [/corduroy/i, 'fine'],
    [/denim|trench|cable/i, 'plain'],
    [/laura ashley|tea dress|floral/i, 'flowers'],
  ]
  const weave =
    known.find(([words]) => words.test(title))?.[1] ??
    chance.pick('weave', ['plain', 'plain', 'stripes', 'dots', 'checks'] as const)
  return `<pattern id="cloth" width="80" height="80" patternUnits="userSpaceOnUse"><rect width="80" height="80" fill="${main}"/>${weaves[weave]}</pattern>`
}

/** Draws what is on the cover of a book. */
function emblem(chance: Chance, { accent, light }: Paint): string {
  const r = chance.between('emblem size', 24, 46)
  return chance.pick('emblem', [
    `<circle cx="20" cy="20" r="${r}" fill="${accent}"/>`,
    `<path d="M20 ${20 - r} l${r} ${r} l${-r} ${r} l${-r} ${-r} z" fill="${light}"/>`,
    `<path d="M${20 - r} ${20 + r} q${r} ${-3 * r} ${2 * r} 0 z" fill="${accent}"/>`,
    `<path d="M${20 - r} 20 h${2 * r} M20 ${20 - r} v${2 * r}" stroke="${accent}" stroke-width="14"/>`,
    `<rect x="${20 - r}" y="-40" width="${2 * r}" height="110" fill="${light}"/>`,
  ])
}

/** Returns a color made lighter (up to 1) or darker (down to -1). */
function shade(color: string, by: number): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const to = by > 0 ? 255 : 0
  return `#${parts
    .map((part) =>
      Math.round(part + (to - part) * Math.abs(by))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/**
 * Reads from a title the kind of thing and whom it is for, to weigh the categories that a marketplace suggests. It knows
 * English words only. A title without known words contradicts nothing.
 */

type Department = 'men' | 'women' | 'boys' | 'girls'

const departmentWords: Readonly<Record<string, readonly Department[]>> = {
  ...each(['men', 'mens', 'menswear', 'man', 'mans', 'male', 'gents', 'gentlemen', 'gentlemens'], ['men']),
  ...each(['women', 'womens', 'womenswear', 'woman', 'womans', 'female', 'ladies', 'misses'], ['women']),
  ...each(['boys'], ['boys']),
  ...each(['girls'], ['girls']),
}
/** Words for children of either sex. They say less than `boys` or `girls` beside them. */
const childWords = new Set(
  'kid kids kidswear child children childrens childs youth baby babies infant toddler toddlers newborn'.split(' '),
)
const unisexWords = new Set(['unisex', 'genderless', 'nonbinary'])

/** A kind of thing with its words, and the wider kinds that it is one of. */
interface Kind {
  words: readonly string[]
  isA: readonly string[]
}

/** Words are singular where a plural means the same. Words of several parts are phrases. */
const kinds: Readonly<Record<string, Kind>> = {
  ...kind('clothing', 'clothing, apparel, menswear, womenswear'),
  ...kind('coat', 'coat, overcoat, raincoat, topcoat, greatcoat, duffle, mackintosh, duster, duster coat', 'clothing'),
  ...kind('trench', 'trench coat, trench, trenchcoat', 'coat'),
  ...kind('peacoat', 'peacoat, pea coat', 'coat'),
  ...kind('parka', 'parka, anorak', 'coat, jacket'),
  ...kind('jacket', 'jacket, windbreaker, shacket, jean jacket, denim jacket', 'clothing'),
  ...kind('blazer', 'blazer, sport coat, sports coat, suit jacket, sportcoat', 'jacket'),
  ...kind('bomber', 'bomber, bomber jacket, varsity jacket, varsity, letterman', 'jacket'),
  ...kind('cape', 'cape, poncho, cloak', 'coat'),
  ...kind('vest', 'vest, waistcoat, gilet', 'clothing'),
  ...kind('suit', 'suit, tuxedo, pantsuit', 'clothing'),
  ...kind('top', 'top, tunic, camisole, bodysuit', 'clothing'),
  ...kind('blouse', 'blouse', 'top'),
  ...kind('shirt', 'shirt, button down, button up, flannel shirt, dress shirt, overshirt', 'top'),
  ...kind('tee', 'tshirt, tee, tank top, polo', 'shirt'),
  ...kind('sweater', 'sweater, jumper, pullover, knitwear, turtleneck, crewneck', 'clothing'),
  ...kind('cardigan', 'cardigan', 'sweater'),
  ...kind('hoodie', 'hoodie, sweatshirt, hooded sweatshirt', 'sweater, activewear'),
  ...kind('dress', 'dress, gown, sundress, shirt dress, sweater dress, minidress, wrap dress', 'clothing'),
  ...kind('skirt', 'skirt, skort, wrap skirt', 'clothing'),
  ...kind('pants', 'pants, trouser, chino, slacks, cargo pants, corduroys, sweatpants, legging, jogger', 'clothing'),
  ...kind('jeans', 'jeans', 'pants'),
  ...kind('shorts', 'shorts', 'clothing'),
  ...kind('jumpsuit', 'jumpsuit, romper, playsuit, overalls, dungarees, coverall', 'clothing'),
  ...kind('swimwear', 'swimsuit, swimwear, bikini, swim trunk, swim suit, bathing suit', 'clothing'),
  ...kind('underwear', 'underwear, lingerie, bra, panties, boxers, corset', 'clothing'),
  ...kind('nightwear', 'pajama, pyjama, nightgown, robe, kimono, sleepwear', 'clothing'),
  ...kind('activewear', 'activewear, tracksuit', 'clothing'),
  ...kind('socks', 'sock, tights, stocking, hosiery', 'clothing'),
  ...kind('accessory', 'accessories'),
  ...kind('scarf', 'scarf, shawl, wrap, bandana', 'accessory'),
  ...kind('hat', 'hat, cap, beanie, beret, fedora', 'accessory'),
  ...kind('belt', 'belt, suspenders', 'accessory'),
  ...kind('gloves', 'glove, mitten', 'accessory'),
  ...kind('tie', 'necktie, neck tie, tie, bow tie, bowtie, cravat', 'accessory'),
  ...kind('sunglasses', 'sunglasses, eyeglasses, eyewear', 'accessory'),
  ...kind('wallet', 'wallet, cardholder, card holder, coin purse', 'accessory'),
  ...kind('shoes', 'shoe, footwear'),
  ...kind('boots', 'boot, booties', 'shoes'),
  ...kind('sneakers', 'sneaker, trainers, athletic shoe, running shoe, high top, tennis shoe', 'shoes'),
  ...kind('heels', 'heels, pumps, stilettos, high heels', 'shoes'),
  ...kind('loafers', 'loafer, moccasin', 'shoes'),
  ...kind('oxfords', 'oxford shoe, brogue, derby shoe, wingtip, dress shoe', 'shoes'),
  ...kind('sandals', 'sandal, flip flop, espadrille', 'shoes'),
  ...kind('flats', 'flats, ballet flat', 'shoes'),
  ...kind('clogs', 'clogs, slippers, mules', 'shoes'),
  ...kind('bag', 'bag, handbag, purse, pocketbook, camera bag, book bag'),
  ...kind('tote', 'tote, tote bag', 'bag'),
  ...kind('backpack', 'backpack, rucksack', 'bag'),
  ...kind('clutch', 'clutch, evening bag, clutch bag', 'bag'),
  ...kind('crossbody', 'crossbody, messenger bag, satchel, crossbody bag', 'bag'),
  ...kind('briefcase', 'briefcase, attache', 'bag'),
  ...kind('luggage', 'luggage, suitcase, duffel bag, duffel', 'bag'),
  ...kind('jewelry', 'jewelry, jewellery'),
  ...kind('necklace', 'necklace, pendant, locket', 'jewelry'),
  ...kind('bracelet', 'bracelet, bangle', 'jewelry'),
  ...kind('earrings', 'earring', 'jewelry'),
  ...kind('ring', 'ring', 'jewelry'),
  ...kind('brooch', 'brooch', 'jewelry'),
  ...kind('watch', 'watch, wristwatch, pocket watch', 'jewelry'),
  ...kind('camera', 'camera, rangefinder, camcorder, film camera, digital camera'),
  ...kind('lens', 'lens, lenses, zoom lens'),
  ...kind('book', 'book, novel, hardcover, paperback, cookbook, hardback'),
  ...kind('magazine', 'magazine'),
  ...kind('comic', 'comic, comic book'),
  ...kind('record', 'vinyl record, record, lp'),
  ...kind('game', 'video game, board game'),
  ...kind('toy', 'toy, doll, puzzle'),
  ...kind('home', 'lamp, furniture, teapot, vase, quilt, cookware, tableware'),
  ...kind('phone', 'phone, smartphone, cell phone'),
}

/** Phrases whose words name no kind and nobody. Denim and jean are one material, not the kind `jeans`. */
const meaningless = new Set(
  [
    'denim, jean, tie dye, tie dyed, boot cut, top handle, top quality, top rated, low top, zip top, cut out, key ring',
    'o ring, ring binder, baby blue, baby pink, baby alpaca, baby doll, baby soft, belt loop, belt included',
    'shirt collar, record player, little women, iron man, wonder woman, spider man, man ray, burning man, best man',
    'man made, cap sleeve, cap toe, shoe size, dress code, sock monkey, dust bag, tote strap, cape cod',
  ].flatMap((line) => line.split(', ')),
)

/** Words after which a title names parts or what belongs to the thing: "camera with bag", "strap for camera". */
const subordinate = new Set('with w for from by without fits incl including plus like'.split(' '))

/** Most words of a phrase. */
const phraseLength = 3

interface Said {
  departments: ReadonlySet<Department>
  kinds: readonly string[]
}

/** The words of an item. The title counts first, its category where the title says nothing. */
interface ItemWords {
  title: string
  /** The item's own category, and the department where it has one. */
  category?: string | undefined
}

/** How well a category fits an item: 0 contradicts it, then the more of what the item says it repeats, the more. */
function fitOf(item: ItemWords, category: string): number {
  const said = saidBy(item)
  const path = partsOf(category)
  const departments = departmentsOf(words(category))
  const named = kindsOfPath(path)
  const isOther = said.departments.size > 0 && departments.size > 0 && !intersects(said.departments, departments)
  const isKind = said.kinds.some((one) => named.some((other) => isSameOrWider(other, one)))
  if (isOther || (said.kinds.length > 0 && named.length > 0 && !isKind)) return 0
  return 1 + Number(said.departments.size > 0 && departments.size > 0) + Number(isKind)
}

/** Returns whether a category contradicts what an item says about its kind or whom it is for. */
export function contradicts(item: ItemWords, category: string): boolean {
  return fitOf(item, category) === 0
}

/** Returns whether two texts name kinds of things that have nothing to do with each other, such as a coat and a dress. */
export function areOtherKinds(one: string, other: string): boolean {
  const [mine, theirs] = [kindsOf(mainWords(words(one))), kindsOf(words(other))]
  const isRelated = mine.some((a) => theirs.some((b) => isSameOrWider(a, b) || isSameOrWider(b, a)))
  return mine.length > 0 && theirs.length > 0 && !isRelated
}

/** Returns whether a text is about other people than a title: "Women" for a men's jacket. */
export function isForOthers(title: string, text: string): boolean {
  const [mine, theirs] = [departmentsOf(words(title)), departmentsOf(words(text))]
  return mine.size > 0 && theirs.size > 0 && !intersects(mine, theirs)
}

/**
 * Orders suggested categories by how well they fit the item, and in the marketplace's order among equals. `fits` is false
 * for those that contradict the item.
 */
export function weighCategories<One extends { name: string }>(
  item: ItemWords,
  suggestions: readonly One[],
): (One & { fits: boolean })[] {
  return suggestions
    .map((one) => ({ one, fit: fitOf(item, one.name) }))
    .sort((a, b) => b.fit - a.fit)
    .map(({ one, fit }) => ({ ...one, fits: fit > 0 }))
}

function saidBy({ title, category = '' }: ItemWords): Said {
  const [ofTitle, ofCategory] = [mainWords(words(title)), words(category)]
  const departments = departmentsOf(words(title))
  const named = kindsOf(ofTitle)
  return {
    departments: departments.size > 0 ? departments : departmentsOf(ofCategory),
    kinds: named.length > 0 ? named : kindsOfPath(partsOf(category)),
  }
}

/** Returns the parts of a category's path, such as "Men > Coats" or "Men/Coats". */
function partsOf(category: string): string[] {
  return category
    .split(/[>:/]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Returns the kinds of the narrowest part of a path that names one. */
function kindsOfPath(path: readonly string[]): string[] {
  for (const part of [...path].reverse()) {
    const named = kindsOf(words(part))
    if (named.length > 0) return named
  }
  return []
}

function departmentsOf(all: readonly string[]): Set<Department> {
  const found = new Set<Department>()
  let isChild = false
  let isUnisex = false
  for (let at = 0; at < all.length; at++) {
    const word = all[at]!
    const pair = `${word} ${all[at + 1] ?? ''}`
    const before = `${all[at - 1] ?? ''} ${word}`
    if (meaningless.has(pair) || meaningless.has(before)) continue
    for (const one of departmentWords[word] ?? []) found.add(one)
    if (childWords.has(word) || /^[2-6]t$/.test(word)) isChild = true
    if (unisexWords.has(word)) isUnisex = true
  }
  const isBoysOrGirls = found.has('boys') || found.has('girls')
  if (isChild && !isBoysOrGirls) return new Set([...found, 'boys', 'girls'] as const)
  if (isUnisex && !isChild && !isBoysOrGirls) return new Set(['men', 'women'])
  return found
}

/** Returns the kinds that words name. A phrase counts as a whole, and a kind that describes the next one does not. */
function kindsOf(all: readonly string[]): string[] {
  const found: string[] = []
  for (let at = 0; at < all.length; ) {
    const taken = phraseAt(all, at)
    if (taken?.kind) found.push(taken.kind)
    at += taken?.length ?? 1
  }
  return [...new Set(found)]
}

function phraseAt(all: readonly string[], at: number): { kind: string | null; length: number } | null {
  for (let length = Math.min(phraseLength, all.length - at); length > 0; length--) {
    const phrase = all.slice(at, at + length)
    for (const form of [phrase.join(' '), [...phrase.slice(0, -1), singular(phrase.at(-1)!)].join(' ')]) {
      if (meaningless.has(form)) return { kind: null, length }
      const kind = kindOfWords.get(form)
      if (kind !== undefined) {
        // "Dress shoes" are shoes: only the last of adjacent kinds counts, except in a list such as "Coats, Jackets".
        const next = all[at + length] === listed || all[at + length] === undefined ? null : phraseAt(all, at + length)
        if (next?.kind && describing.has(kind)) return { kind: next.kind, length: length + next.length }
        return { kind, length }
      }
    }
  }
  return null
}

/** Kinds whose words often describe the kind after them: "dress pants", "shirt jacket", "belt bag", "boot socks". */
const describing = new Set('dress shirt sweater suit belt boots camera book watch hat wallet shoes top tie'.split(' '))

const listed = ','

/** Returns lower-case words without apostrophes and accents. Commas and "&" are kept as `,`. */
function words(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’`´]/g, '')
    .replace(/\bt[- ]?shirts?\b/g, 'tshirt')
    .replace(/\bpea[- ]coats?\b/g, 'peacoat')
    .replace(/[,&;|+]|\band\b/g, ` ${listed} `)
    .split(/[^\p{L}\p{N},]+/u)
    .filter((word) => word !== '')
}

/** Returns the words before the first that leads to parts or belongings. */
function mainWords(all: readonly string[]): readonly string[] {
  const end = all.findIndex((word, at) => at > 0 && subordinate.has(word))
  return end < 0 ? all : all.slice(0, end)
}

function singular(word: string): string {
  if (word === 'scarves') return 'scarf'
  if (/(ss|us|is)$/.test(word)) return word
  if (/ies$/.test(word) && word.length > 5) return `${word.slice(0, -3)}y`
  if (/(sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}

function isSameOrWider(wider: string, one: string): boolean {
  return wider === one || (kinds[one]?.isA ?? []).some((above) => isSameOrWider(wider, above))
}

function intersects<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean {
  return [...one].some((value) => other.has(value))
}

function kind(name: string, names: string, isA = ''): Record<string, Kind> {
  const split = (text: string) => text.split(', ').filter((one) => one !== '')
  return { [name]: { words: split(names), isA: split(isA) } }
}

function each(names: readonly string[], departments: readonly Department[]): Record<string, readonly Department[]> {
  return Object.fromEntries(names.map((name) => [name, departments]))
}

const kindOfWords = new Map(
  Object.entries(kinds).flatMap(([name, { words: all }]) => all.map((word) => [word, name] as const)),
)

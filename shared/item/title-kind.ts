import { kinds } from './kinds.ts'

/**
 * Reads from a title the kind of thing and whom it is for, to weigh the categories that a marketplace suggests and the
 * options of its forms. It knows English words only. A title without known words contradicts nothing.
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

/** Phrases whose words name no kind and nobody. Denim and jean are one material, not the kind `jeans`. */
const meaningless = [
  'denim, jean, tie dye, tie dyed, boot cut, bootcut, top handle, top quality, top rated, low top, zip top, cut out',
  'o ring, ring binder, baby blue, baby pink, baby alpaca, baby doll, baby soft, belt loop, belt included, key hole',
  'shirt collar, little women, iron man, wonder woman, spider man, man ray, burning man, best man, loop collar',
  'man made, cap sleeve, cap toe, shoe size, dress code, sock monkey, dust bag, tote strap, cape cod, hunter case',
  'top stitch, top zip, mens health, rolling stone, flat front, drop waist, glass beads, glass bead, mother and child',
  'slip on, wrap around, button up back, coin silver, coin edge, pin up, pin stripe, cable knit, cup size, bowl cut',
  'train set of, watch pocket, ring top, plate signed, gold plate, silver plate, nickel plate, record setting, tank watch',
  'golf wang, drum dyed, flute sleeve, trumpet sleeve, bell sleeve, book of business, table top, chair back, bar ware',
  'doll up, coat of arms, hat trick, camera ready, boot camp, phone number, saw tooth, spoon ring, tee pee',
]

/** Words after which a title names parts or what belongs to the thing: "camera with bag", "strap for camera". */
const subordinate = new Set(
  'with w for from by without fits incl including includes plus like features featuring'.split(' '),
)

/** Words that make a description of the kind before them: "blanket lined", "camera print", "cap toe". */
const describingAfter = new Set(
  'lined lining print printed shaped style styled motif themed theme inspired collar sleeve sleeves pocket pockets trim hem toe cuff cuffs buckle closure graphic embroidered applique'.split(
    ' ',
  ),
)

/** Most words of a phrase. */
const phraseLength = 4

/** The people and kinds that a text names. */
interface Said {
  departments: ReadonlySet<Department>
  /** The narrowest kinds. */
  kinds: readonly string[]
  /** The first named kind is the likeliest: those of a title, while a category names all alike. */
  isOrdered: boolean
  /** Kinds that describe another one: the jacket in "jacket dress". */
  describing: readonly string[]
  words: readonly string[]
}

/** The words of an item. The title counts first, its category where the title says nothing. */
interface ItemWords {
  title: string
  /** The item's own category, and the department where it has one. */
  category?: string | undefined
}

/** How an option of a form fits an item. */
interface OptionFit {
  /** False: it contradicts the item, or is narrower than what the item says. */
  fits: boolean
  /** The higher, the closer its kind is to the item's; 0 where it names none. */
  rank: number
  /** It names a kind, and not only whom it is for. */
  isKind: boolean
  /** Words of the option that say more than its kind. */
  modifiers: readonly string[]
}

/** How well a category fits an item: 0 contradicts it, then the more of what the item says it repeats, the more. */
function fitOf(said: Said, category: string): number {
  const path = partsOf(category)
  const departments = departmentsOf(words(category))
  if (isOther(said, departments)) return 0
  const named = path.map((part) => readLabel(part).kinds).filter((one) => one.length > 0 && !isAnything(said, one))
  // "Collectibles > Other" takes anything, so it says nothing of a thing whose kind is known.
  const isCatchAll = named.length === 0 && words(path.at(-1) ?? '').join(' ') === 'other'
  if (isCatchAll && said.kinds.length > 0) return 0
  const unsaid = readLabel(path.at(-1) ?? '').modifiers.filter((word) => word !== 'other' && !said.words.includes(word))
  const relation = named.length > 0 ? relationOf(said, named.at(-1)!) : 0
  const isElsewhere = named.some((one) => !haveSameRoot(said.kinds, one))
  // "Comfort shoes" for shoes: neither the same nor simply wider.
  const isUnsure = relation !== null && relation > 0 && relation < 4 && unsaid.length > 0
  if (relation === null || isElsewhere || isUnsure) return 0
  return 1 + Number(said.departments.size > 0 && departments.size > 0) + relation
}

/**
 * Orders suggested categories by how well they fit the item, and in the marketplace's order among equals. `fits` is false
 * for those that contradict the item, `isNamed` true for those that name the kind of it.
 */
export function weighCategories<One extends { name: string }>(
  item: ItemWords,
  suggestions: readonly One[],
): (One & { fits: boolean; isNamed: boolean })[] {
  const said = readItem(item)
  return suggestions
    .map((one) => ({ one, fit: fitOf(said, one.name) }))
    .sort((a, b) => b.fit - a.fit)
    .map(({ one, fit }) => ({ ...one, fits: fit > 0, isNamed: fit > 2 }))
}

/** Returns words that categories have for the kinds that a title names, such as "camera" for a Rolleiflex. */
export function kindWordsOf(title: string): string[] {
  const above = (kind: string): string[] => [kind, ...kinds[kind]!.isA.flatMap(above)]
  return readItem({ title })
    .kinds.flatMap(above)
    .flatMap((kind) => [...kinds[kind]!.words, ...kinds[kind]!.headings])
}

/** Returns the kinds that an item is one of, the narrowest first; none if its words name none. */
export function kindsOf(item: ItemWords): string[] {
  const found = new Set(readItem(item).kinds)
  // A set that grows while it is read: the nearer kinds of all come before wider ones.
  for (const kind of found) for (const wider of kinds[kind]!.isA) found.add(wider)
  return [...found]
}

/** Returns how each option of a form's menu fits an item. `category` is a path, widest first. */
export function fitOptions(title: string, category: readonly string[], labels: readonly string[]): OptionFit[] {
  const said = readItem({ title, category: category.join(' > ') })
  return labels.map((label) => {
    const { kinds: named, departments, modifiers } = readLabel(label)
    // "Men" has what is worn, "Kids" toys, too.
    const isChildren = /\b(kids|children)\b/i.test(label)
    const implied = departments.size === 0 || named.length > 0 ? named : isChildren ? ['worn', 'toy'] : ['worn']
    const relation = isOther(said, departments) || !haveSameRoot(said.kinds, implied) ? null : relationOf(said, implied)
    const isSameDepartment = said.departments.size > 0 && departments.size > 0
    return {
      fits: relation !== null,
      rank: (relation ?? 0) + Number(isSameDepartment),
      isKind: named.length > 0,
      modifiers,
    }
  })
}

/** Returns whether an item's title and its category name kinds that have nothing to do with each other. */
export function isDivided(title: string, category: readonly string[]): boolean {
  const [mine, theirs] = [readTitle(title), kindsOfPath(category)]
  return mine.kinds.length > 0 && theirs.length > 0 && !areRelated([...mine.kinds, ...mine.describing], theirs)
}

/** Returns whether a text names another kind than a title does, or is about other people: "Women" for a men's jacket. */
export function isAnother(title: string, text: string): boolean {
  const [mine, theirs] = [readItem({ title }), readLabel(text)]
  const isOtherKind = mine.kinds.length > 0 && theirs.kinds.length > 0 && !areRelated(mine.kinds, theirs.kinds)
  return isOtherKind || isOther(mine, theirs.departments)
}

const areRelated = (one: readonly string[], other: readonly string[]) =>
  one.some((a) => other.some((b) => distance(a, b) !== null || distance(b, a) !== null))

/**
 * Returns whether a department is another one than what is said. Only what is worn has departments, and it is for adults
 * unless a title says otherwise.
 */
function isOther({ kinds: named, departments }: Said, theirs: ReadonlySet<Department>): boolean {
  const isWorn = named.some((one) => distance(one, 'worn') !== null)
  const mine = departments.size === 0 && isWorn ? adults : departments
  return (isWorn || named.length === 0) && mine.size > 0 && theirs.size > 0 && ![...mine].some((one) => theirs.has(one))
}

const adults: ReadonlySet<Department> = new Set(['men', 'women'])

/**
 * Returns how close named kinds are to an item's: 4 for the same, less for a wider one. 0: one side names none. Null:
 * they are others, or narrower.
 */
function relationOf({ kinds: mine, isOrdered }: Said, named: readonly string[]): number | null {
  if (mine.length === 0 || named.length === 0) return 0
  const relations = mine.flatMap((one, index) =>
    named.flatMap((other) => {
      const far = distance(one, other)
      return far === null ? [] : [4 - Math.min(3, far * 0.35) - (isOrdered ? Math.min(0.8, index * 0.4) : 0)]
    }),
  )
  return relations.length > 0 ? Math.max(...relations) : null
}

/** Returns the steps from a kind to a wider one, further by each parent that is not its first; null if it is none. */
function distance(one: string, wider: string): number | null {
  if (one === wider) return 0
  const ways = kinds[one]!.isA.flatMap((above, index) => {
    const rest = distance(above, wider)
    return rest === null ? [] : [1 + rest + index * 0.2]
  })
  return ways.length > 0 ? Math.min(...ways) : null
}

const roots = ['worn', 'goods']

function haveSameRoot(mine: readonly string[], named: readonly string[]): boolean {
  const rootsOf = (all: readonly string[]) => roots.filter((root) => all.some((one) => distance(one, root) !== null))
  return mine.length === 0 || named.length === 0 || rootsOf(mine).some((root) => rootsOf(named).includes(root))
}

/** Returns what a title and, where that says nothing or less, a category say. */
function readItem({ title, category = '' }: ItemWords): Said {
  const ofTitle = readTitle(title)
  const ofCategory = kindsOfPath(partsOf(category))
  const isSame = ofTitle.kinds.some((one) => ofCategory.includes(one))
  const narrower = ofCategory.filter((one) => !isSame && ofTitle.kinds.some((wider) => distance(one, wider) !== null))
  const described = ofTitle.describing.filter((one) => areRelated([one], ofCategory))
  const isAgreed = areRelated(ofTitle.kinds, ofCategory)
  const named = ofTitle.kinds.length === 0 ? ofCategory : !isAgreed && described.length > 0 ? described : ofTitle.kinds
  const all = narrower.length > 0 ? narrower : named
  const departments = ofTitle.departments.size > 0 ? ofTitle.departments : departmentsOf(words(category))
  const implied = all.flatMap((one) => kinds[one]!.who ?? [])
  return {
    ...ofTitle,
    kinds: all,
    isOrdered: all === ofTitle.kinds,
    departments: departments.size > 0 ? departments : new Set(implied),
  }
}

function readTitle(title: string): Said {
  const all = words(title)
  const main = matchesIn(mainWords(all), titleWords)
  const matches = main.length > 0 ? main : matchesIn(all, titleWords)
  const [named, describing] = heads(matches)
  const depicting = named.filter((one) => kinds[one]!.depicts)
  // The title of a book, a record, or a doll is about other things.
  const strong = depicting.length > 0 ? depicting : named
  const ofModels = matchesIn(all, modelWords).flatMap((match) => match.kinds)
  const finer = ofModels.filter((one) => strong.some((wider) => distance(one, wider) !== null))
  const found = strong.length === 0 ? ofModels : finer.length > 0 ? [...finer, ...strong] : strong
  return {
    kinds: narrowest(found),
    isOrdered: true,
    describing,
    departments: departmentsOf(all),
    words: all.map(singular),
  }
}

const labels = new Map<string, ReturnType<typeof parseLabel>>()

/** Reads an option of a form or a part of a category. Marketplaces have few thousand, which are read once. */
function readLabel(label: string) {
  const known = labels.get(label)
  if (known) return known
  const read = parseLabel(label)
  if (labels.size < 10_000) labels.set(label, read)
  return read
}

function parseLabel(label: string) {
  const all = words(label)
  const matches = matchesIn(all, labelWords)
  const isNamed = (at: number) => matches.some((match) => match.from <= at && at < match.to)
  const modifiers = all
    .filter((word, at) => !isNamed(at) && !separators.has(word) && !isForSomebody(word))
    .map(singular)
  const named = [...new Set(heads(matches)[0])]
  return { kinds: named, modifiers, departments: departmentsOf(all) }
}

/** Returns the parts of a category's path, such as "Men > Coats" or "Men/Coats". */
function partsOf(category: string): string[] {
  return category
    .split(/[>:]|(?<! )\/(?! )/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Returns the kinds of the narrowest part of a path that names one. */
function kindsOfPath(path: readonly string[]): readonly string[] {
  return path.map((part) => readLabel(part).kinds).findLast((named) => named.length > 0) ?? []
}

const isForSomebody = (word: string) => word in departmentWords || childWords.has(word) || unisexWords.has(word)

function departmentsOf(all: readonly string[]): Set<Department> {
  const found = new Set<Department>()
  let isChild = false
  let isUnisex = false
  for (let at = 0; at < all.length; at++) {
    const word = all[at]!
    const pair = `${word} ${all[at + 1] ?? ''}`
    const before = `${all[at - 1] ?? ''} ${word}`
    if (emptyPhrases.has(pair) || emptyPhrases.has(before)) continue
    for (const one of departmentWords[word] ?? []) found.add(one)
    if (childWords.has(word) || /^[2-6]t$/.test(word)) isChild = true
    if (unisexWords.has(word)) isUnisex = true
  }
  const isBoysOrGirls = found.has('boys') || found.has('girls')
  if (isChild && !isBoysOrGirls) return new Set([...found, 'boys', 'girls'] as const)
  if (isUnisex && !isChild && !isBoysOrGirls) return new Set(['men', 'women'])
  return found
}

/** Words of a text that name kinds. */
interface Match {
  from: number
  to: number
  kinds: readonly string[]
}

type Dictionary = ReadonlyMap<string, readonly string[]>

/** Finds the kinds that words name, the longest phrase first. */
function matchesIn(all: readonly string[], dictionary: Dictionary): Match[] {
  const found: Match[] = []
  for (let at = 0; at < all.length; ) {
    const match = matchAt(all, at, dictionary)
    if (match && match.kinds.length > 0 && !describingAfter.has(all[match.to] ?? '')) found.push(match)
    at = match?.to ?? at + 1
  }
  return found
}

function matchAt(all: readonly string[], from: number, dictionary: Dictionary): Match | null {
  for (let to = Math.min(from + phraseLength + 2, all.length); to > from; to--) {
    const phrase = all.slice(from, to)
    const named = formsOf(phrase)
      .map((form) => dictionary.get(form))
      .find((one) => one !== undefined)
    if (named) return { from, to, kinds: named }
  }
  return null
}

/** Returns the forms of a phrase in a dictionary: as it is, in the singular, and as a heading, whose parts are a list. */
function formsOf(phrase: readonly string[]): string[] {
  const isList = phrase.some((word) => separators.has(word))
  const asHeading = separators.has(phrase[0]!) || separators.has(phrase.at(-1)!) ? [] : [headingOf(phrase)]
  const last = [...phrase.slice(0, -1), singular(phrase.at(-1)!)].join(' ')
  return isList ? [phrase.join(' '), last, ...asHeading] : [...asHeading, phrase.join(' '), last]
}

const headingOf = (phrase: readonly string[]) =>
  `# ${phrase
    .filter((word) => !separators.has(word))
    .map(singular)
    .join(' ')}`

/** Returns whether a part of a path such as "Collectibles" or "Antiques" says nothing about an item. */
const isAnything = ({ kinds: mine }: Said, named: readonly string[]) =>
  named.every((one) => one === 'collectible') && !areRelated(mine, named)

/** Of adjacent kinds the last is the thing, unless it is the wider one: "camera lens", "art poster", "wingtip shoes". */
function heads(matches: readonly Match[]): [named: string[], describing: string[]] {
  const isDescribing = ({ to, kinds: mine }: Match, next: Match | undefined) =>
    next?.from === to && !mine.some((one) => next.kinds.some((wider) => distance(one, wider) !== null))
  const [described, named] = [true, false].map((is) =>
    matches.filter((match, index) => isDescribing(match, matches[index + 1]) === is).flatMap((match) => match.kinds),
  )
  return [named!, described!]
}

/** Returns the kinds without those that are wider than another one of them. */
function narrowest(all: readonly string[]): string[] {
  const unique = [...new Set(all)]
  return unique.filter((one) => !unique.some((other) => other !== one && distance(other, one) !== null))
}

const separators = new Set([',', '&'])

/** Returns lower-case words without apostrophes and accents. Commas are kept as `,`, "and" as `&`. */
function words(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’`´]/g, '')
    .replace(/\bt[- ]?shirts?\b/g, 'tshirt')
    .replace(/\b(pea|rain)[- ]coats?\b/g, '$1coat')
    .replace(/[,;|]|\s[-–—]\s/g, ' , ')
    .replace(/[&+]|\band\b/g, ' & ')
    .split(/[^\p{L}\p{N},&]+/u)
    .filter((word) => word !== '')
}

/** Returns the words before the first that leads to parts or belongings, and before what a thing shows or holds. */
function mainWords(all: readonly string[]): readonly string[] {
  const end = all.findIndex(
    (word, at) =>
      at > 0 && (subordinate.has(word) || (word === 'of' && matchesIn(all.slice(0, at), titleWords).length > 0)),
  )
  return end < 0 ? all : all.slice(0, end)
}

function singular(word: string): string {
  if (word === 'scarves') return 'scarf'
  if (word === 'knives') return 'knife'
  if (/(ss|us|is)$/.test(word)) return word
  if (/ies$/.test(word) && word.length > 5) return `${word.slice(0, -3)}y`
  if (/(sses|shes|ches|xes|zes)$/.test(word)) return word.slice(0, -2)
  return word.length > 2 && word.endsWith('s') ? word.slice(0, -1) : word
}

function each(names: readonly string[], departments: readonly Department[]): Record<string, readonly Department[]> {
  return Object.fromEntries(names.map((name) => [name, departments]))
}

const emptyPhrases = new Set(meaningless.flatMap((line) => line.split(', ')))

function dictionary(...lists: readonly (readonly [phrase: string, kinds: readonly string[]])[][]): Dictionary {
  const made = new Map<string, string[]>()
  for (const [phrase, named] of lists.flat()) made.set(phrase, [...(made.get(phrase) ?? []), ...named])
  return made
}

const phrasesOf = (list: 'words' | 'models', form = (phrase: string) => words(phrase).join(' ')) =>
  Object.entries(kinds).flatMap(([name, kind]) => kind[list].map((phrase) => [form(phrase), [name]] as const))
const headings = Object.entries(kinds).flatMap(([name, kind]) =>
  kind.headings.map((phrase) => [headingOf(words(phrase)), [name]] as const),
)
const empty = [...emptyPhrases].map((phrase) => [words(phrase).join(' '), []] as const)

const titleWords = dictionary(empty, phrasesOf('words'))
const labelWords = dictionary(empty, phrasesOf('words'), headings)
const modelWords = dictionary(phrasesOf('models'))

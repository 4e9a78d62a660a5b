import { chooseCategory } from '#extension/platforms/sell-form/choose.ts'
import { suggestCategories } from '#server/integrations/etsy/publish/listing-choices.ts'
import { offerCategories } from '#server/integrations/offer-categories.ts'
import { answers } from './answers.ts'
import type { LabeledTitle } from './titles.ts'
import { depopPaths, ebayPaths, etsyPaths, mercariPaths, poshmarkPaths } from './trees.ts'

type Verdict = 'right' | 'asked' | 'wrong'

/** A way to a category: a marketplace, and what it is told beside the title. */
export interface Way {
  name: string
  column: number
  /** The least share of right ones: asking alone is no answer. */
  least: number
  choose: (labeled: LabeledTitle) => string | null
}

/** Categories of the item where it came from: none, eBay's right one, and another suggestion of eBay. */
const origins = {
  'no category': () => [],
  'right category': (labeled: LabeledTitle) => fitting(labeled)[0]?.split(' > ') ?? [],
  'another category': (labeled: LabeledTitle) => likeTitle(labeled, false)[0]?.split(' > ') ?? [],
}

const leasts: Record<string, number> = { 'no category': 0.75, 'right category': 0.75, 'another category': 0.25 }

export const ways: readonly Way[] = [
  { name: 'eBay, suggested late', column: 0, least: 0.9, choose: (labeled) => offered(suggestions(labeled), labeled) },
  { name: 'eBay, not suggested', column: 0, least: 0, choose: (labeled) => offered(likeTitle(labeled), labeled) },
  {
    name: 'Etsy',
    column: 1,
    least: 0.9,
    choose: ({ title }) => suggested(suggestCategories(etsyCategories, request(title))),
  },
  ...Object.entries(origins).flatMap(([name, origin]) => [
    {
      name: `Poshmark, ${name}`,
      column: 2,
      least: leasts[name]!,
      choose: (labeled: LabeledTitle) => inPoshmark(labeled.title, origin(labeled)),
    },
    {
      name: `Mercari, ${name}`,
      column: 3,
      least: leasts[name]!,
      choose: (labeled: LabeledTitle) => inMercari(labeled.title, origin(labeled)),
    },
    {
      name: `Depop, ${name}`,
      column: 4,
      least: leasts[name]!,
      choose: (labeled: LabeledTitle) => inDepop(labeled.title, origin(labeled)),
    },
  ]),
]

/** Returns how often a way is right, asks, or is wrong, with each wrong choice. */
export function evaluate(way: Way, titles: readonly LabeledTitle[]) {
  const results = titles.map((labeled) => {
    const path = way.choose(labeled)
    return { title: labeled.title, path, verdict: verdictOf(labeled, way.column, path) }
  })
  const share = (verdict: Verdict) => results.filter((one) => one.verdict === verdict).length / results.length
  return {
    right: share('right'),
    asked: share('asked'),
    wrong: share('wrong'),
    faults: results.filter(({ verdict }) => verdict === 'wrong').map(({ title, path }) => `${title}: ${path}`),
    open: results.filter(({ verdict }) => verdict === 'asked').map(({ title }) => title),
  }
}

const trees = [ebayPaths, etsyPaths, poshmarkPaths, mercariPaths, depopPaths]

function verdictOf(labeled: LabeledTitle, column: number, path: string | null): Verdict {
  if (path === null) return 'asked'
  const pattern = answers[labeled.kind]![column]!
  if (!isFor(labeled.who, path)) return 'wrong'
  if (new RegExp(pattern).test(path)) return 'right'
  // Poshmark and Etsy take a category without the narrower one, and Mercari's form asks for it.
  if (
    trees[column]!.some(
      (one) => one.startsWith(`${path} > `) && isFor(labeled.who, one) && new RegExp(pattern).test(one),
    )
  ) {
    return column === 3 ? 'asked' : path.includes(' > ') ? 'right' : 'wrong'
  }
  return /(^|> )Other$/.test(path) && pattern.startsWith('-') ? 'asked' : 'wrong'
}

/** Returns whether a path is about these people, or about nobody in particular. */
function isFor(who: string, path: string): boolean {
  const heads: [RegExp, string[]][] = [
    [/\bWomen/, ['women']],
    [/\b(Men|Menswear)\b|\bMen’s/, ['men']],
    [/\bBoys/, ['boys', 'kids']],
    [/\bGirls/, ['girls', 'kids']],
    [/\bKids|Baby/, ['kids', 'boys', 'girls']],
  ]
  const isToy = /Toys|Dolls|Games/.test(path)
  const named = heads.filter(([head]) => head.test(path)).flatMap(([, people]) => people)
  return who === '' || isToy || named.length === 0 || named.includes(who)
}

/** Returns the right categories of eBay, the ones most like the title first. */
const fitting = remembered((labeled: LabeledTitle): string[] => {
  const title = new Set(parts(labeled.title))
  const hits = (path: string) => parts(path).filter((word) => title.has(word)).length
  return ebayPaths.filter((path) => verdictOf(labeled, 0, path) === 'right').sort((a, b) => hits(b) - hits(a))
})

/** Returns the wrong categories of eBay that look most like a title. */
function likeTitle(labeled: LabeledTitle, isForOthers = true): string[] {
  const title = new Set(parts(labeled.title))
  const kind = new RegExp(answers[labeled.kind]![0])
  return ebayPaths
    .filter((path) => (isForOthers ? verdictOf(labeled, 0, path) !== 'right' : !kind.test(path)))
    .map((path) => ({ path, hits: parts(path).filter((word) => title.has(word)).length + (kind.test(path) ? 3 : 0) }))
    .sort((a, b) => b.hits - a.hits)
    .slice(0, 3)
    .map(({ path }) => path)
}

/** Returns eBay's suggestions with the right category after two others. */
function suggestions(labeled: LabeledTitle): string[] {
  const others = likeTitle(labeled)
  return [...others.slice(0, 2), ...fitting(labeled).slice(0, 1), ...others.slice(2)]
}

const parts = remembered((text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/s$/, '')),
)

/** Returns a function that works out each answer once, since every way asks the same about a title. */
function remembered<Asked, Answer>(work: (asked: Asked) => Answer): (asked: Asked) => Answer {
  const known = new Map<Asked, Answer>()
  return (asked) => {
    if (!known.has(asked)) known.set(asked, work(asked))
    return known.get(asked)!
  }
}

function offered(paths: readonly string[], { title }: LabeledTitle): string | null {
  return suggested(
    offerCategories(
      { title, attributes: {} },
      paths.map((name) => ({ id: name, name })),
    ),
  )
}

function suggested(values: ReturnType<typeof offerCategories>): string | null {
  return values.find((value) => value.suggested)?.name ?? null
}

const etsyCategories = new Map(
  etsyPaths
    .flatMap((path) => path.split(' > ').map((_, depth, all) => all.slice(0, depth + 1).join(' > ')))
    .map((path, index) => [index, path]),
)

const request = (title: string) =>
  ({ title, attributes: {}, options: {} }) as unknown as Parameters<typeof suggestCategories>[1]

/** Returns the names below a path. */
function below(paths: readonly string[], above: readonly string[]): string[] {
  const start = [...above, ''].join(' > ')
  return [
    ...new Set(
      paths
        .filter((path) => above.length === 0 || path.startsWith(start))
        .map((path) => path.split(' > ')[above.length]!),
    ),
  ]
}

function next(
  paths: readonly string[],
  above: readonly string[],
  title: string,
  category: readonly string[],
): string | null {
  const labels = below(paths, above)
  const choice = chooseCategory(labels, category, title)
  return choice && labels[choice.index]!
}

function inPoshmark(title: string, category: readonly string[]): string | null {
  const department = next(poshmarkPaths, [], title, category)
  const kind = department && next(poshmarkPaths, [department], title, category)
  if (!department || !kind) return null
  const narrow = next(poshmarkPaths, [department, kind], title, category)
  return [department, kind, ...(narrow ? [narrow] : [])].join(' > ')
}

function inMercari(title: string, category: readonly string[]): string | null {
  const chosen: string[] = []
  for (let level = 0; level < 3; level++) {
    const name = next(mercariPaths, chosen, title, category)
    // The form shows what is chosen, and asks for the rest.
    if (name === null) return chosen.length < 2 ? null : chosen.join(' > ')
    chosen.push(name)
  }
  return chosen.join(' > ')
}

function inDepop(title: string, category: readonly string[]): string | null {
  const department = next(depopPaths, [], title, category)
  if (!department) {
    const labels = depopPaths.map((path) => path.split(' > ')[1]!)
    const choice = chooseCategory(labels, category, title)
    return choice && depopPaths[choice.index]!
  }
  const name = next(depopPaths, [department], title, category)
  return name && `${department} > ${name}`
}

import { isObject, parseJson } from '#extension/platforms/raw.ts'

/** Returns a seeded random number generator. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type Random = () => number
export type Mutation = (text: string, random: Random) => string
export type MutationKind = 'renamed classes' | 'missing state' | 'moved keys' | 'layouts'

export function oneOf<T>(some: readonly T[], random: Random): T {
  return some[Math.floor(random() * some.length)]!
}

/** The names in a platform's pages that mutations target. */
export interface Anatomy {
  /** JSON members that required fields are read from. */
  keys: readonly string[]
  /** JSON members that hold the lists and the whole state. */
  wrappers: readonly string[]
}

/** Returns the changes seen on real sites, by kind. */
export function mutationsFor(anatomy: Anatomy): Record<MutationKind, Mutation[]> {
  const key = (random: Random) => oneOf(anatomy.keys, random)
  return {
    'renamed classes': [
      (text, random) => text.replace(/class="[^"]*"/g, () => `class="${word(random)} ${word(random)}"`),
      (text, random) =>
        text.replace(/ class="[^"]*"/g, '').replace(/<(p|span|div|h1) /g, `<$1 data-${word(random)}="1" `),
    ],
    'missing state': [
      (text) => text.replace('__NEXT_DATA__', '__NEXT_STATE__').replace('__INITIAL_STATE__', '__APP_STATE__'),
      (text) => text.replace(/<script[^>]*>(?:(?!<\/script)[\s\S])*<\/script>/g, ''),
      (text) => editScripts(text, (json) => json.slice(0, Math.floor(json.length / 2))),
      (text) => editScripts(text, () => '{}'),
    ],
    'moved keys': [
      // Renames a member.
      (text, random) => editJson(text, renameKey(key(random), `${word(random)}Value`)),
      // Wraps a value in an object.
      (text, random) =>
        editJson(
          text,
          changeKey(key(random), (value) => ({ value })),
        ),
      // Removes a member or sets it to null.
      (text, random) => editJson(text, renameKey(key(random), null)),
      (text, random) =>
        editJson(
          text,
          changeKey(key(random), () => null),
        ),
      // Changes a value's type.
      (text, random) =>
        editJson(
          text,
          changeKey(key(random), (value) => (typeof value === 'string' ? [value] : `~${value}`)),
        ),
      // Moves the list or the whole state.
      (text, random) => editJson(text, renameKey(oneOf(anatomy.wrappers, random), `${word(random)}List`)),
      (text, random) =>
        editJson(
          text,
          changeKey(oneOf(anatomy.wrappers, random), (value) => ({ result: value })),
        ),
      // Renames Apollo cache entries.
      (text) => text.replaceAll('ItemDetail:', 'ItemFull:'),
      // Adds an object with the same members.
      (text, random) => editJson(text, addDecoy(random)),
    ],
    layouts: [
      (text, random) => renameOneTestId(text, random),
      (text) =>
        text.replace(/<(h1|p|span)( [^>]*data-testid="[^"]*"[^>]*)>/g, '<div><$1$2>').replace(/<\/h1>/g, '</h1></div>'),
      (text) => text.replace(/(<p [^>]*data-testid="ItemPrice"[^>]*>[^<]*<\/p>)/, '$1<aside>$1</aside>'),
      (text) => text.replace(/<h1([^>]*)>([\s\S]*?)<\/h1>/g, '<h2$1>$2</h2>'),
      (text) => text.replace(/href="\/(us\/item|products|listing)\//g, 'href="/fr/$1/'.replace('/fr/us', '/us')),
      (text) => text.replace(/href="(\/[^"]*)"/g, 'href="$1?ref=tile"'),
      (text) => text.replace(/(<main)/, '<header><h2>Sale!</h2><p class="x">$5.00</p></header>$1'),
      (text) => text.replace(/<script id=/g, '<script defer data-x="1" id='),
      (text) => text.replace(/\n/g, ' ').replace(/></g, '>\n  <'),
    ],
  }
}

/** Returns a mutation that replaces a member's values by unknown words. */
export function newWordsFor(key: string): Mutation {
  return (text, random) =>
    editJson(
      text,
      changeKey(key, () => `${word(random)}_2`),
    )
}

/** Applies `change` to the JSON that a text is or contains in its scripts. */
function editJson(text: string, change: (value: unknown) => unknown): string {
  const whole = parseJson(text)
  if (whole !== undefined) return JSON.stringify(change(whole))
  return editScripts(text, (json) => {
    const value = parseJson(json)
    return value === undefined ? json : JSON.stringify(change(value)).replace(/</g, '\\u003c')
  })
}

function editScripts(text: string, change: (json: string) => string): string {
  return text
    .replace(/(<script[^>]*json"[^>]*>)([\s\S]*?)(<\/script>)/g, (_, open, json, close) => open + change(json) + close)
    .replace(
      /(__INITIAL_STATE__=)([\s\S]*?)(;\(function\(\)\{var s;)/g,
      (_, open, json, close) => open + change(json) + close,
    )
}

function renameKey(name: string, to: string | null) {
  return deep((object) =>
    Object.fromEntries(
      Object.entries(object).flatMap(([key, value]) => (key !== name ? [[key, value]] : to ? [[to, value]] : [])),
    ),
  )
}

function changeKey(name: string, change: (value: unknown) => unknown) {
  return deep((object) =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, key === name ? change(value) : value])),
  )
}

/** Adds another seller's listing beside the first one, with the same members. */
function addDecoy(random: Random) {
  return (value: unknown) =>
    isObject(value) && !Array.isArray(value)
      ? {
          [`${word(random)}Recommendations`]: [
            {
              id: 'm999',
              slug: 'decoy-0000',
              name: 'Decoy',
              title: 'Decoy',
              price: 1,
              description: 'Decoy',
              status: 'on_sale',
            },
          ],
          ...value,
        }
      : value
}

function deep(change: (object: Record<string, unknown>) => unknown): (value: unknown) => unknown {
  const pass = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(pass)
    if (!isObject(value)) return value
    return change(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, pass(member)])))
  }
  return pass
}

function renameOneTestId(text: string, random: Random): string {
  const ids = [...new Set([...text.matchAll(/data-(?:testid|et-name|test)="([^"]+)"/g)].map((match) => match[1]!))]
  return ids.length === 0 ? text : text.replaceAll(`"${oneOf(ids, random)}"`, `"${word(random)}"`)
}

function word(random: Random): string {
  return Array.from({ length: 6 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('')
}

/** Returns the names of all members in a text's JSON. */
export function keysIn(text: string): string[] {
  const keys = new Set<string>()
  const pass = (value: unknown): void => {
    if (!isObject(value)) return
    if (!Array.isArray(value)) for (const key of Object.keys(value)) keys.add(key)
    for (const member of Object.values(value)) pass(member)
  }
  editJson(text, (value) => {
    pass(value)
    return value
  })
  return [...keys]
}

/** Changes every member of this name in a text's JSON. Undefined removes it. */
export function changeMembers(
  text: string,
  name: string,
  change: (value: unknown) => unknown,
  newName: string = name,
): string {
  return editJson(
    text,
    deep((object) =>
      Object.fromEntries(
        Object.entries(object).flatMap(([key, value]) => {
          if (key !== name) return [[key, value]]
          const changed = change(value)
          return changed === undefined ? [] : [[newName, changed]]
        }),
      ),
    ),
  )
}

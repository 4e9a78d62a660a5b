import { type OAuthSlug, platformOf } from '#shared/platforms.ts'
import { PlatformError, type PlatformFailure } from './errors.ts'
import { jsonOf, plainText } from './http.ts'

/** One reason of a refusal, in the platform's own terms. */
export interface Fault {
  /** The platform's code, such as `25002` or `invalid_characters`. */
  code: string | null
  /** The platform's words in one plain line; empty if it gave none. */
  words: string
  /** The field that the platform names. */
  field: string | null
  parameters: { name: string; value: string }[]
}

/** Reasons in one message, reasons that are read from one answer, and how deep they may be nested. */
const mostFaults = 3
const mostRead = 20
const deepest = 6

/** Members that hold reasons and name no field. */
const wrappers = new Set([
  'error',
  'errors',
  'error_list',
  'errorMessage',
  'details',
  'problems',
  'messages',
  'responses',
])
const textMembers = ['error_description', 'longMessage', 'message', 'detail', 'reason', 'error', 'description']
const codeMembers = ['errorId', 'type', 'code', 'error']
const pathMembers = ['path', 'field', 'parameter', 'property']

/**
 * Returns the reasons in a failed answer: a list under `errors` or `error`, a nested or a single one, a bare list, the
 * two texts of OAuth, fields with their faults, or plain text. Warnings are left out. A page, half an answer and an
 * empty one have none.
 */
export function readFaults(text: string): Fault[] {
  const body = jsonOf(text)
  if (body !== undefined) return faultsIn(body)
  return isProse(text) ? faultOf({ words: text }) : []
}

/** Returns the reasons in a parsed body. */
export function faultsIn(body: unknown): Fault[] {
  return read(body, null, 0).slice(0, mostRead)
}

function read(value: unknown, path: string | null, depth: number): Fault[] {
  if (typeof value === 'string') return isProse(value) ? faultOf({ words: value, field: path }) : []
  if (typeof value !== 'object' || value === null || depth > deepest) return []
  if (Array.isArray(value)) return value.slice(0, mostRead).flatMap((one) => read(one, path, depth + 1))
  const members = value as Record<string, unknown>
  if (/^warning$/i.test(textOf(members.severity) ?? '')) return []
  const first = (names: string[], except?: string | null) =>
    names.find((name) => name !== except && textOf(members[name]) !== null) ?? null
  const textName = first(textMembers)
  const codeName = first(codeMembers, textName)
  const parameters = parametersIn(members.parameters ?? members.parameter)
  const pathName = first(pathMembers)
  const field = (pathName && textOf(members[pathName])) ?? refIn(members.inputRefIds) ?? fieldIn(parameters) ?? path
  const isFault = textName !== null || textOf(members.errorId) !== null
  const words = (textName && textOf(members[textName])) ?? ''
  const code = codeName === null ? nameIn(words) : textOf(members[codeName])
  const own = isFault ? faultOf({ code, words, field, parameters }) : []
  const nested = Object.entries(members)
    .slice(0, mostRead)
    .filter(([name]) => wrappers.has(name) || (!isFault && depth > 0))
    .filter(([, member]) => !isFault || typeof member === 'object')
    .flatMap(([name, member]) =>
      read(member, wrappers.has(name) ? field : [field, name].filter(Boolean).join('/'), depth + 1),
    )
  return [...own, ...nested]
}

function faultOf(given: {
  code?: string | null
  words: string
  field?: string | null
  parameters?: Fault['parameters']
}): Fault[] {
  const { code = null, field = null, parameters = [] } = given
  const words = plainText(given.words)
  if (code === null && words === '') return []
  const named =
    field &&
    plainText(field)
      .replace(/^\$?[./]+/, '')
      .slice(0, 80)
  return [{ code: code && plainText(code).slice(0, 60), words, field: named || null, parameters }]
}

/** Returns the text of a member; null for none, an empty one and other types. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** Returns a text that is a code by itself, such as `invalid_token`. */
const nameIn = (words: string) => (/^[a-z]+(_[a-z]+)+$/.test(words) ? words : null)

function parametersIn(value: unknown): Fault['parameters'] {
  if (!Array.isArray(value)) return []
  return value.slice(0, mostRead).flatMap((one: { name?: unknown; value?: unknown } | null) => {
    const [name, text] = [textOf(one?.name), textOf(one?.value)]
    return name === null || text === null ? [] : [{ name, value: text }]
  })
}

const refIn = (value: unknown) => (Array.isArray(value) ? textOf(value[0]) : null)

/** Returns the field that parameters name. eBay numbers them, or names what they are (`fieldName`, `offerId`). */
export function fieldIn(parameters: Fault['parameters']): string | null {
  const stated = parameters.find(({ name }) => /^field(name)?$/i.test(name))
  if (stated) return stated.value
  const named = parameters.find(({ name }) => !/^(\d+|additionalInfo|replaceable_value|.*message)$/i.test(name))
  if (named) return named.name
  return (
    parameters.findLast(({ value }) => /^\p{L}[^.!?:]{0,59}$/u.test(value) && value.split(' ').length <= 4)?.value ??
    null
  )
}

/** Returns a field for people, without places in lists: `title/1` is the title. */
const shortField = (field: string) => field.replace(/[/.]\d+(?=[/.]|$)/g, '').replaceAll('/', ' ')

/** Returns whether a text is words for people: no markup, no page, no half an answer. */
function isProse(text: string): boolean {
  const start = text.trimStart().slice(0, 1)
  return /\p{L}/u.test(text.slice(0, 500)) && !'{["<'.includes(start || '{') && !/<[a-z!/?]/i.test(text.slice(0, 2_000))
}

/** The words for each kind of failure, and the advice where no table knows more. */
const usual: Record<PlatformFailure, { what: string; help: string }> = {
  unauthorized: { what: 'does not accept the access of Hapax for', help: 'Connect the shop again.' },
  reconnect: { what: 'has ended the access of Hapax and refused', help: 'Connect the shop again.' },
  rate_limited: { what: 'takes no more calls for now and did not answer', help: 'This passes by itself.' },
  unavailable: { what: 'could not answer', help: 'This usually passes within minutes.' },
  not_found: { what: 'does not have what was asked for and refused', help: 'Look there whether it still exists.' },
  refused: { what: 'gave no reason and refused', help: 'Check the item and the shop there, then try again.' },
  not_yet: { what: 'does not take this now and refused', help: 'Hapax tries again later.' },
  malformed: { what: 'gave an answer that is not understood to', help: 'This usually passes within minutes.' },
}

interface Refusal {
  /** A few words for the call: "the new offer". */
  call: string
  faults: readonly Fault[]
  /** Advice from a table; else the usual one. */
  help?: string | undefined
  /** Our name of it, shown where the platform gave no code. */
  name?: string | undefined
  /** The code for the log, where the platform gave none. */
  logCode?: string | undefined
  retryAfterMs?: number | undefined
  cause?: unknown
}

/**
 * Returns the error of a refused call as a sentence for the seller: what was refused, the platform's own words, what
 * helps, and the platform's code and field. A status alone is for the log, as `platformCode`.
 */
export function refusalOf(platform: OAuthSlug, failure: PlatformFailure, refusal: Refusal): PlatformError {
  const { call, faults, logCode, retryAfterMs, cause } = refusal
  const { name } = platformOf(platform)
  const told = faults.find(({ code }) => code !== null)?.code
  const field = faults.find((fault) => fault.field !== null)?.field
  const reasons = [...new Set(faults.flatMap(reasonOf))]
  const what = reasons.length > 0 ? `refused ${call}: ${listOf(reasons)}` : `${usual[failure].what} ${call}.`
  const code = told ?? refusal.name
  const named = [code && `${name} error ${code}`, field && `field ${shortField(field)}`].filter(Boolean)
  const source = named.length > 0 ? ` (${named.join(', ')})` : ''
  return new PlatformError(platform, failure, `${name} ${what} ${refusal.help ?? usual[failure].help}${source}`, {
    platformCode: told ?? logCode,
    fields: [...new Set(faults.flatMap(({ field }) => field ?? []))],
    faults,
    retryAfterMs,
    cause,
  })
}

/** Returns the words of a reason as a sentence. A reason that begins in the middle of one gets its field. */
function reasonOf({ code, words, field }: Fault): string[] {
  if (words === '' || words === code) return []
  const isPart = field !== null && /^\p{Ll}/u.test(words) && !words.startsWith(shortField(field))
  const whole = isPart ? `${shortField(field)} ${words}` : words
  return [/[.!?…]$/.test(whole) ? whole : `${whole}.`]
}

function listOf(reasons: readonly string[]): string {
  const more = reasons.length - mostFaults
  return `${reasons.slice(0, mostFaults).join(' ')}${more > 0 ? ` And ${more} more.` : ''}`
}

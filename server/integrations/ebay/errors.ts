import type { BoundedAnswer } from '#server/integrations/http.ts'
import type { PlatformError, PlatformFailure } from '../errors.ts'
import { plainText, retryAfterMs } from '../http.ts'
import { type Fault, faultsIn, fieldIn, readFaults, refusalOf } from '../refusal.ts'
import { statedWaitMs } from './call-limits.ts'
import { isShort, parseHere } from './parse-apart.ts'
import { findRefusal, knownRefusal, reportWarnings } from './refusals.ts'
import type { TradingAnswer } from './wire.ts'

type TradingErrors = TradingAnswer['Errors']

/** Precedence among several errors: failures of the whole call before failures of one listing. */
const precedence: PlatformFailure[] = ['unauthorized', 'rate_limited', 'unavailable', 'not_found', 'not_yet', 'refused']

/** "Page number is out of range": the list became shorter after its pages were counted. */
export const pageOutOfRange = '340'

/** The names of Trading calls in messages. */
const tradingCalls: Record<string, string> = {
  AddFixedPriceItem: 'the new listing',
  VerifyAddFixedPriceItem: 'the new listing',
  GeteBayDetails: 'the shipping services of the site',
  GetItem: 'the request for the listing',
  GetSellerList: 'the request for the list of listings',
  GetMyeBaySelling: 'the request for the overview of listings',
  ReviseFixedPriceItem: 'the change of the listing',
  EndFixedPriceItem: 'the end of the listing',
  EndItem: 'the end of the listing',
}

/** Returns a few words for a Trading call. */
export const wordsOfCall = (name: string) => tradingCalls[name] ?? `the call ${name}`

/** Returns the error of an answer with Ack Failure or PartialFailure, ignoring its warnings. */
export function errorOfTrading(name: string, errors: TradingErrors): PlatformError {
  const call = wordsOfCall(name)
  const classified = errors
    .filter((error) => error.SeverityCode !== 'Warning')
    .map((error) => ({ ...error, failure: failureOfTrading(error) }))
    .sort((a, b) => precedence.indexOf(a.failure) - precedence.indexOf(b.failure))
  const first = classified[0]
  if (!first) return refusalOf('ebay', 'malformed', { call, faults: [] })
  const faults = classified.map(faultOfTrading)
  const { code, words } = faults[0]!
  const general = first.LongMessage ?? first.ShortMessage
  const known = ['refused', 'not_yet'].includes(first.failure) ? knownRefusal(code ?? '', words, general) : null
  if (known) return known
  const isShort = first.ErrorCode === '21919144'
  return refusalOf('ebay', first.failure, {
    call,
    faults,
    help: findRefusal('Trading', first.ErrorCode)?.help,
    logCode: first.ErrorClassification,
    retryAfterMs: isShort ? (statedWaitMs(faults[0]!.words) ?? 30_000) : undefined,
  })
}

/** Passes on the warnings of an answer, which an Ack of any kind may have. */
export function reportTradingWarnings(errors: TradingErrors): void {
  reportWarnings('Trading', errors.filter(({ SeverityCode }) => SeverityCode === 'Warning').map(faultOfTrading))
}

function failureOfTrading(error: TradingErrors[number]): PlatformFailure {
  const known = findRefusal('Trading', error.ErrorCode)?.failure
  return known ?? (error.ErrorClassification === 'SystemError' ? 'unavailable' : 'refused')
}

function faultOfTrading({ ErrorCode, LongMessage, ShortMessage, ErrorParameters }: TradingErrors[number]): Fault {
  const parameters = ErrorParameters.flatMap(({ ParamID = '0', Value }) =>
    Value.map((value) => ({ name: ParamID, value })),
  )
  // The name of a field is written as a tag, which plain text would lose.
  const long = (LongMessage ?? '').replace(/\btag <([\w.[\]]{1,120})>/g, 'tag $1')
  // Why a seller may not list comes as HTML in a parameter (KB 694). The text is general.
  const why = ErrorCode === '240' ? (parameters.find(({ value }) => value.includes('<'))?.value ?? '') : ''
  const words = [plainText(long) || plainText(ShortMessage ?? ''), plainText(why)].filter(Boolean).join(' ')
  return { code: ErrorCode ?? null, words, field: fieldIn(parameters), parameters }
}

function failureOfStatus(status: number): PlatformFailure {
  if (status === 401) return 'unauthorized'
  if (status === 429) return 'rate_limited'
  if (status === 404) return 'not_found'
  // HTML instead of XML or JSON comes from a maintenance page or a proxy, so a retry may succeed.
  return status === 408 || status >= 500 || status < 400 ? 'unavailable' : 'refused'
}

/** Returns the error of a failed answer of a REST API, or of one whose body is not understood. */
export function errorOfAnswer(
  call: string,
  answer: BoundedAnswer,
  faults: Fault[] = faultsOfAnswer(answer.text),
): PlatformError {
  const byStatus = failureOfStatus(answer.status)
  for (const { code, words } of byStatus === 'refused' ? faults : []) {
    const meaning = knownRefusal(code ?? '', words || 'no reason given')
    if (meaning) return meaning
  }
  const known = findRefusal('REST', faults[0]?.code)
  return refusalOf('ebay', known?.failure ?? byStatus, {
    call,
    faults,
    help: known?.help,
    logCode: `http_${answer.status}`,
    retryAfterMs: retryAfterMs(answer.headers) ?? undefined,
  })
}

/** Returns the reasons in a failed answer of a REST API. Its gateway may answer in XML. */
export function faultsOfAnswer(text: string): Fault[] {
  if (!text.trimStart().startsWith('<')) return readFaults(text)
  const document = isShort(text) ? parseHere(text) : null
  return document === null || document instanceof Error ? [] : faultsIn(document)
}

/** Returns true if eBay itself did not answer, because the network or a proxy failed. */
export function isOfTransport(error: PlatformError): boolean {
  return /^(http_\d+|timeout|network|not_xml|not_json)$/.test(error.platformCode ?? '')
}

/** Errors of OAuth (RFC 6749 5.2) that are not refusals. After `invalid_grant` the seller must sign in again. */
const oauthFailures: Record<string, PlatformFailure> = {
  invalid_grant: 'reconnect',
  temporarily_unavailable: 'unavailable',
  server_error: 'unavailable',
}

/** Returns the error of the token endpoint. It refuses the client or the grant, never an access token. */
export function errorOfOAuth(call: string, answer: BoundedAnswer): PlatformError {
  const faults = faultsOfAnswer(answer.text)
  const byStatus = failureOfStatus(answer.status)
  const named = answer.status === 429 ? undefined : oauthFailures[faults[0]?.code ?? '']
  const failure = named ?? (faults.length > 0 && byStatus === 'unauthorized' ? 'refused' : byStatus)
  return refusalOf('ebay', failure, {
    call,
    faults,
    help:
      failure === 'refused'
        ? 'Connect the shop again. If that fails too, tell the operator of this server.'
        : undefined,
    logCode: `http_${answer.status}`,
    retryAfterMs: retryAfterMs(answer.headers) ?? undefined,
  })
}

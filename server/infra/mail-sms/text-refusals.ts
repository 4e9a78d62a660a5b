import type { Queries } from '#server/infra/db/index.ts'
import * as sql from './queries.ts'

/** An error code of Twilio: whom it concerns, and what happened with what helps, for the operator. */
interface TextRefusal {
  /** `server`: no text leaves until the operator acts. `text`: this number or this text only. */
  concerns: 'server' | 'text'
  words: string
}

const senderWords = 'Set TWILIO_MESSAGING_SERVICE_SID or TWILIO_FROM to a sender of this account that may send texts.'
const registerWords = 'Register the sender for A2P 10DLC, and set TWILIO_MESSAGING_SERVICE_SID to its service.'
const suspendedWords = 'The Twilio account is suspended or closed. The console says what Twilio asks for.'

/** Codes of refusals at sending and of later reports. Source: https://www.twilio.com/docs/api/errors */
const refusals: [concerns: TextRefusal['concerns'], codes: number[], words: string][] = [
  ['server', [20003], 'Twilio does not take the credentials. Check TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN.'],
  ['server', [10001, 20005, 30002], suspendedWords],
  [
    'server',
    [21608],
    'The account texts verified numbers only. Upgrade it, and get its primary compliance profile approved in Trust Hub.',
  ],
  ['server', [21212, 21603, 21606, 21659, 21660, 21701, 21703, 21704, 21705], senderWords],
  ['server', [30034, 30035], registerWords],
  ['server', [30032], 'Get the toll-free number verified.'],
  ['server', [30001, 30022, 30023, 21611, 63038], 'A limit of the account or its A2P campaign is reached. Raise it.'],
  ['text', [21211, 21217, 21614, 30005, 30006], 'The number takes no texts: it does not exist, or is a landline.'],
  [
    'text',
    [21408],
    'The country is off in Geo permissions of Twilio. Turn it on, or leave its prefix out of SMS_COUNTRIES.',
  ],
  ['text', [21610], 'The recipient answered STOP. Texts go on when that phone answers START.'],
  ['text', [21612, 21635], 'Twilio has no way from this sender to this number. Add a sender of its country.'],
  ['text', [30003, 30008], 'The phone was off or out of reach.'],
  ['text', [30004, 30007], 'A carrier filtered the text as spam. Review the campaign and its sample texts.'],
  ['text', [30450], 'Twilio suspects SMS pumping and blocked the text. Keep SMS_COUNTRIES and Geo permissions narrow.'],
]

const byCode = new Map<string, TextRefusal>(
  refusals.flatMap(([concerns, codes, words]) => codes.map((code) => [String(code), { concerns, words }] as const)),
)

/** Codes with which Twilio refuses every text of this server. */
export const serverCodes: string[] = [...byCode].flatMap(([code, { concerns }]) => (concerns === 'server' ? code : []))

/** Returns whether the provider takes no text of this server right now. */
export async function areTextsRefused(queries: Queries): Promise<boolean> {
  return (await queries.one(sql.areTextsRefused({ codes: serverCodes }))).are_texts_refused
}

/** Returns the end of an error: the code, and the words or else the page about it. The code is what Twilio sent. */
export function describeTextCode(code: unknown): string {
  if (!/^\d{1,6}$/.test(String(code ?? ''))) return 'code none'
  return `code ${code}. ${byCode.get(String(code))?.words ?? `See https://www.twilio.com/docs/api/errors/${code}`}`
}

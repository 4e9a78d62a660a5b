/** How often what may be done (spec 8, decisions 2 and 4). */
export interface LimitSettings {
  /** Requests a minute. */
  keyPerMinute: number
  userPerMinute: number
  anonymousPerMinute: number
  issuingPerMinute: number
  /** Requests to `/webhooks/` from one address, in this process. */
  pushesPerMinute: number
  /** Pages and documents for anybody from one address, in this process. */
  documentsPerMinute: number
  /** Tokens that never existed, per address: guessing. */
  unknownTokensPerMinute: number
  /** Distinct taken addresses that one address may be told of by registering. */
  takenEmailsPerHour: number
  /** Texts that one network may ask for to one number, over all purposes; all strange networks together twice as many. */
  textsPerMinute: number
  textsPerHour: number
  textsPerDay: number
  /** Texts asked for from one address; texts sent to one range of numbers, and in all. */
  textsPerHourAndAddress: number
  textsPerHourAndRange: number
  textsPerHourInAll: number
  /** Requests that may wait for a connection to the database at once, in this process. */
  waitingForDatabase: number
}

export const realLimits: LimitSettings = {
  keyPerMinute: 600,
  userPerMinute: 1_200,
  anonymousPerMinute: 100,
  issuingPerMinute: 20,
  pushesPerMinute: 6_000,
  documentsPerMinute: 300,
  unknownTokensPerMinute: 10,
  takenEmailsPerHour: 10,
  textsPerMinute: 1,
  textsPerHour: 3,
  textsPerDay: 10,
  textsPerHourAndAddress: 30,
  textsPerHourAndRange: 100,
  textsPerHourInAll: 1_000,
  waitingForDatabase: 1_000,
}

const never = 1_000_000_000

/**
 * Without the limits that count by address: all tests come from one. Those by account, address or number stay, since
 * they are part of what an endpoint does.
 */
export const withoutAddressLimits: LimitSettings = {
  ...realLimits,
  keyPerMinute: never,
  userPerMinute: never,
  anonymousPerMinute: never,
  issuingPerMinute: never,
  pushesPerMinute: never,
  documentsPerMinute: never,
  unknownTokensPerMinute: never,
  takenEmailsPerHour: never,
  textsPerHourAndAddress: never,
  textsPerHourAndRange: never,
  textsPerHourInAll: never,
}

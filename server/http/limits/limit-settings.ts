import { waysIn } from '#server/infra/ways-in/ways-in.ts'

/** Limits of requests and their answers. */
export interface LimitSettings {
  /** Requests a minute. */
  keyPerMinute: number
  userPerMinute: number
  anonymousPerMinute: number
  issuingPerMinute: number
  /** Requests to `/webhooks/` from one address, in this process. */
  pushesPerMinute: number
  /** Public pages and documents requested from one address, in this process. */
  documentsPerMinute: number
  /** Photos requested from one address, in this process. */
  imagesPerMinute: number
  /** Unknown tokens per address, which are guesses. */
  unknownTokensPerMinute: number
  /** Distinct taken email addresses that one address may discover by registering. */
  takenEmailsPerHour: number
  /** Texts that one network may request for one number; all unknown networks together twice as many. */
  textsPerMinute: number
  textsPerHour: number
  textsPerDay: number
  /** Texts requested from one address, sent to one range of numbers, and sent in total. */
  textsPerHourAndAddress: number
  textsPerHourAndRange: number
  textsPerHourInAll: number
  /** Requests of this process that may wait for a database connection. */
  waitingForDatabase: number
  /** Answers of this process that clients have not taken yet: of an account, and of an address without one. */
  openPerAccount: number
  openPerAddress: number
  /** Time in ms in which a client must take a part of its answer. */
  stalledMs: number
  /** Time in ms for the answer to a message of the Model Context Protocol. */
  mcpMs: number
}

export const realLimits: LimitSettings = {
  keyPerMinute: 600,
  userPerMinute: 1_200,
  anonymousPerMinute: 100,
  issuingPerMinute: 20,
  pushesPerMinute: 6_000,
  documentsPerMinute: 300,
  imagesPerMinute: 3_000,
  unknownTokensPerMinute: 10,
  takenEmailsPerHour: 10,
  textsPerMinute: 1,
  textsPerHour: 3,
  textsPerDay: 10,
  textsPerHourAndAddress: 30,
  textsPerHourAndRange: 100,
  textsPerHourInAll: 1_000,
  waitingForDatabase: 1_000,
  openPerAccount: 50,
  openPerAddress: 200,
  stalledMs: 30_000,
  mcpMs: waysIn.mcp.giveUpMs,
}

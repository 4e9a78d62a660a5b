import { batched } from '#server/http/batch.ts'
import { hashSecret, newSecret } from '#server/http/credentials.ts'
import { foregroundOf } from '#server/http/foreground.ts'
import { sql } from '#server/infra/db/index.ts'
import { prepared, single } from '#server/infra/db/prepared.ts'
import { retried } from '#server/infra/db/retried.ts'
import type { Services } from '#server/services.ts'
import type { User } from '#shared/contract/accounts.ts'
import { attemptRules, waitFirst } from './attempts.ts'
import { beginSecondStep, secondFactorRequired } from './second-factor/steps.ts'
import { noteDevice } from './sessions/note-device.ts'
import { type Client, deviceOf, networkOf } from './sessions/origin.ts'

// Planning these costs more than running them, and somebody who guesses has them run all the time.
const beginSignIns = prepared(sql(import.meta.url, './sql/begin-sign-ins.sql'))
const finishSignIns = prepared(sql(import.meta.url, './sql/finish-sign-ins.sql'))
// These run only while somebody guesses, which is when failed attempts become many: by a plan from before, each would read
// all of them for each that goes in it, until PostgreSQL analyzes the table a minute or more later.
const lookAtSignIns = sql(import.meta.url, './sql/look-at-sign-ins.sql')
const takeBackSignIns = sql(import.meta.url, './sql/take-back-sign-ins.sql')

export interface Tried {
  /** HMACs, of 32 bytes: of the address that was given, and of where it comes from. */
  subject: Buffer
  network: Buffer
  /** The address as accounts have it; null for one that no account can have. */
  email: string | null
}

export interface SignIn extends User {
  password_hash: string | null
  state: string
  is_known_network: boolean
}

/** The database's part in signing in by password. What goes on at the same time goes together. */
export interface SignIns {
  /**
   * Whether the account was entered from this network before. Counts nothing; throws `rate_limited` where `begin` would.
   */
  look(tried: Tried): Promise<boolean>
  /**
   * Counts a sign-in before it is tried, as `countAttempt` does, by network and, from a network that the account was never
   * entered from, by account; and finds the account.
   * Throws `rate_limited`; null when there is no such account. Of an account one goes after the other, those who are known
   * first: while somebody guesses at it, all others wait behind the guesses, or find no room (`unavailable`).
   */
  begin(tried: Tried, isKnown?: boolean): Promise<SignIn | null>
  /** Others of the account wait for `begin`. */
  isAwaited(tried: Tried): boolean
  /** Takes back a try that was counted and then not made. `isKnown`: from a network that the account was entered from before. */
  takeBack(tried: Tried, isKnown: boolean): Promise<void>
  /**
   * After the right password: a bearer token, the failures forgiven, and the network noted, together. Null, and nothing
   * done, when the account is no longer active or its password no longer the one that was checked. A mail about a new
   * device is written before the token is answered. Throws `second_factor_required` for an account that has one.
   */
  finish(account: SignIn, tried: Tried, client: Client): Promise<string | null>
}

interface Beginning extends Tried {
  isKnown: boolean
}

interface Finished {
  account: SignIn
  tried: Tried
  client: Client
  token: string
}

interface Waits {
  place: number
  network_wait: number | null
  account_wait: number | null
}

interface Begun extends Waits, Omit<SignIn, 'id'> {
  id: number | null
  network_admitted: boolean
  account_admitted: boolean | null
}

const known = new WeakMap<Services, SignIns>()

/** Those of a process: what comes by the API and by pages goes together. */
export function signInsOf(services: Services): SignIns {
  const signIns = known.get(services) ?? createSignIns(services)
  known.set(services, signIns)
  return signIns
}

function createSignIns(services: Services): SignIns {
  const { db, passwords } = services
  const spare = { spareMs: () => passwords.spareMs(), giveWay: foregroundOf(services).giveWay }
  const looked = batched<Tried, Waits & { is_known_network: boolean }>(
    async (all) => inOrder(await db.any(lookAtSignIns, { ...hmacs(all), emails: emails(all) })),
    spare,
  )
  const begun = batched<Beginning, Begun>(
    async (all) => {
      const statement = single(beginSignIns, { ...hmacs(all), emails: emails(all), ...limits })
      return inOrder(await retried(() => db.any(statement), { uniques: new Set() }))
    },
    // A row can be counted once in a statement.
    { ...spare, keyOf: subjectOf, isUrgent: ({ isKnown }) => isKnown },
  )
  const takenBack = batched<Beginning, null>(async (all) => {
    const known_networks = all.map(({ isKnown }) => isKnown)
    await retried(() => db.none(takeBackSignIns, { ...hmacs(all), known_networks }), { uniques: new Set() })
    return all.map(() => null)
  }, spare)

  const finished = batched<
    Finished,
    { place: number; is_finished: boolean; has_second_factor: boolean; is_known_device: boolean }
  >(
    async (all) => {
      const statement = single(finishSignIns, {
        user_ids: all.map(({ account }) => account.id),
        password_hashes: all.map(({ account }) => account.password_hash),
        token_hashes: Buffer.concat(all.map(({ token }) => hashSecret(token))),
        ...hmacs(all.map(({ tried }) => tried)),
        devices: Buffer.concat(all.map(({ client }) => deviceOf(services.config, client))),
        addresses: all.map(({ client }) => networkOf(client.address)),
        user_agents: all.map(({ client }) => client.userAgent),
      })
      return inOrder(await retried(() => db.any(statement), { uniques: new Set() }))
    },
    // A network can be noted once in a statement.
    { ...spare, keyOf: ({ account }) => String(account.id) },
  )

  return {
    async look(tried) {
      const { network_wait, account_wait, is_known_network } = await looked(tried)
      if (network_wait !== null) throw tooManyFailures(network_wait)
      if (account_wait !== null && !is_known_network) throw tooManyInARow(account_wait)
      return is_known_network
    },
    async begin(tried, isKnown = false) {
      const { network_admitted, network_wait, account_admitted, account_wait, id, ...account } = await begun({
        ...tried,
        isKnown,
      })
      if (!network_admitted) throw tooManyFailures(network_wait)
      if (account_admitted === false) throw tooManyInARow(account_wait)
      return id === null ? null : { ...account, id }
    },
    isAwaited: (tried) => begun.isAwaited(subjectOf(tried)),
    async takeBack(tried, isKnown) {
      await takenBack({ ...tried, isKnown })
    },
    async finish(account, tried, client) {
      const token = newSecret('hpxt')
      const { is_finished, has_second_factor, is_known_device } = await finished({ account, tried, client, token })
      if (!is_finished) return null
      if (has_second_factor) {
        const pending = await beginSecondStep(db, account.id, account.password_hash)
        // The password, or the second factor, was changed just now.
        if (!pending) return null
        throw secondFactorRequired(account.id, pending)
      }
      if (!is_known_device) await db.tx('note-device', (tx) => noteDevice(services, tx, account.id, client))
      return token
    },
  }
}

const subjectOf = ({ subject }: Tried) => subject.toString('latin1')
const hmacs = (all: Tried[]) => ({
  subjects: Buffer.concat(all.map(({ subject }) => subject)),
  networks: Buffer.concat(all.map(({ network }) => network)),
})
const emails = (all: Tried[]) => all.map(({ email }) => email)

const limitsOf = (kind: 'login' | 'login-account', prefix: string) =>
  Object.fromEntries(Object.entries(attemptRules[kind]).map(([name, value]) => [`${prefix}_${name}`, value]))
const limits = { ...limitsOf('login', 'network'), ...limitsOf('login-account', 'account') }

function inOrder<Row extends { place: number }>(rows: Row[]): Row[] {
  const ordered: Row[] = []
  for (const row of rows) ordered[row.place] = row
  return ordered
}

const tooManyFailures = (wait: number | null) =>
  waitFirst('Too many failed sign-ins. Wait, or ask for a new password.', wait)
const tooManyInARow = (wait: number | null) =>
  waitFirst('Too many failed sign-ins from places where you never signed in. Ask for a new password, or wait.', wait)

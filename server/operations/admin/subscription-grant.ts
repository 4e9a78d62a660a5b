import type { AdminCommand } from './command.ts'
import { findUser, nameOf } from './find-user.ts'
import * as sql from './queries.ts'

export const subscriptionGrant: AdminCommand = {
  name: 'subscription grant',
  usage: ['--email E --until 2027-12-31 --yes', 'gives a subscription through a day; a past day ends it'],
  async run({ services, options, confirm }) {
    const until = endOf(options.until)
    const account = await findUser(services, options)
    confirm(`This gives ${nameOf(account)} a subscription until ${until}.`)
    const row = await services.db.oneOrNone(sql.grantSubscription({ user_id: account.id, until }))
    if (!row) throw new Error(`Account ${account.id} is closed.`)
    return {
      json: { id: account.id, ends_at: row.ends_at },
      words: `${nameOf(account)} has a subscription until ${row.ends_at}.`,
      changed: `user ${account.id}`,
    }
  },
}

/** Returns the end of a day (UTC), or the time itself. Throws for another text. */
function endOf(until: string | undefined): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(until ?? '')
  const ends = new Date(day ? `${until}T23:59:59Z` : (until ?? ''))
  if (Number.isNaN(ends.getTime()) || (day && !ends.toISOString().startsWith(until!))) {
    throw new Error(`"${until ?? ''}" is no date: write --until 2027-12-31.`)
  }
  return ends.toISOString()
}

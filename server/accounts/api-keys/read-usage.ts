import type { Database } from '#server/infra/db/index.ts'
import { invalidField } from '#server/infra/errors.ts'
import type { ApiUsage } from '#shared/contract/account/api-usage.ts'
import * as sql from './queries.ts'

const dayMs = 86_400_000

/** Largest number of days in one response. */
const maxDays = 90

/** Returns a user's requests by key and UTC day. Throws `invalid_request` for an empty or too long range. */
export async function readApiUsage(
  db: Database,
  userId: number,
  query: { from?: string; to?: string },
  now: Date,
): Promise<ApiUsage> {
  const range = usageRange(query, now)
  const rows = await db.any(sql.readUsage({ user_id: userId, ...range }))
  const keys = new Map<string, ApiUsage['keys'][number]>()
  for (const { key_id, name, day, count, errors } of rows) {
    const key = keys.get(key_id) ?? { id: key_id, name, total: 0, days: [] }
    keys.set(key_id, { ...key, name, total: key.total + count, days: [...key.days, { date: day, count, errors }] })
  }
  const all = [...keys.values()].sort((one, other) => other.total - one.total || (one.id < other.id ? -1 : 1))
  return { ...range, total: all.reduce((sum, key) => sum + key.total, 0), keys: all }
}

/** Returns the requested days, or the last 30. */
export function usageRange({ from, to }: { from?: string; to?: string }, now: Date): { from: string; to: string } {
  const last = Date.parse(to ?? now.toISOString().slice(0, 10))
  const first = from === undefined ? last - 29 * dayMs : Date.parse(from)
  if (first > last) throw invalidField('from', 'after_to', 'must not lie after to')
  if (last - first > (maxDays - 1) * dayMs) throw invalidField('from', 'range_too_long', `at most ${maxDays} days`)
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  return { from: day(first), to: day(last) }
}

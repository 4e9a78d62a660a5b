import { rooms } from '#server/rooms.ts'

const of = (place: 'user' | 'reference' | 'local') => rooms.flatMap(({ tables }) => tables?.[place] ?? [])

/**
 * The place of the rows of each table once `npm run distribute` has run. A new table is named in its room (room.ts), or here
 * where no room has it, and its migration places it by `place_table`.
 */
export const placements = {
  /** On the shard of their user, so that what a seller does stays on one node and joins there. */
  user: ['api_usage', 'audit_log', 'idempotent_call', 'written_bytes', ...of('user')],
  /**
   * Copied to every node. Accounts and shops, because every shard refers to them. Credentials and lookups, because what
   * they are found by is unique among all users. Devices, second factors and payments, because statements join them with both.
   */
  reference: of('reference'),
  /** On the coordinator alone: limits, quotas, keys and queues of the whole installation, which no seller's data joins. */
  local: [
    ...['clock_reading', 'last_backup', 'operator_action', 'outbox_message', 'recent_event', 'request_count'],
    ...['schema_compatibility', 'schema_version', 'secret_key'],
    ...of('local'),
  ],
}

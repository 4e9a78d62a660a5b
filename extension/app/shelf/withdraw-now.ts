import { send } from '../host.ts'

/** Takes an item out of sale everywhere, since the seller pauses it or cannot find it. Returns the change to undo. */
export async function withdraw(uid: string, why: 'pause' | 'missing'): Promise<string | null> {
  const change = { state: 'withdrawn' as const, ...(why === 'missing' && { missing: true }) }
  return (await send('inventory.change', { uid, change })).change_uid ?? null
}

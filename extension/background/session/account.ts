import type { ImportQueue } from '#extension/storage/import-queue/database.ts'
import { emptyInventoryCache } from '#extension/storage/inventory-cache/database.ts'
import type { WorkerContext } from '../context.ts'
import { readTakeDowns } from '../take-downs/state.ts'
import { leaveSession, readLeaving, readSession, type Session, sameAccount, writeSession } from './session.ts'
import { endKey } from './sign-in.ts'
import { alone } from './store-for-session.ts'

/** Stores a new session. Deletes data of another account, or data left by an interrupted sign-out. */
export async function signIn(context: WorkerContext, session: Session): Promise<void> {
  await oneAtATime(context, async () => {
    const before = await readSession(context.store)
    if (!before || !sameAccount(before, session)) {
      await leave(context)
      await empty(context)
    }
    await alone(context, async () => {
      await context.store.set('sync', null)
      await writeSession(context.store, session)
    })
    context.sessionChanged()
    context.push(true)
    context.checkEveryMinute()
  })
}

/**
 * Deletes all local data, then ends the key on the server. Works offline; a killed worker is resumed by the next one.
 */
export async function signOut(context: WorkerContext): Promise<boolean | null> {
  const left = await oneAtATime(context, async () => {
    await leave(context)
    const leaving = await readLeaving(context.store)
    await empty(context)
    return leaving
  })
  return left && endKey(left, context.fetch)
}

/** Finishes a sign-out that an earlier worker did not complete. */
export async function finishSigningOut(context: WorkerContext): Promise<void> {
  const left = await oneAtATime(context, async () => {
    const leaving = await readLeaving(context.store)
    if (leaving) await empty(context)
    return leaving
  })
  if (left) await endKey(left, context.fetch)
}

/** Runs sign-ins and sign-outs one at a time, since two windows may ask. */
function oneAtATime<T>(context: WorkerContext, work: () => Promise<T>): Promise<T> {
  return context.locks.request('hapax-account', work) as Promise<T>
}

/** Ends the session in one write and aborts its requests, so that a hanging server delays nothing. */
async function leave(context: WorkerContext): Promise<void> {
  await alone(context, () => leaveSession(context.store))
  context.sessionChanged()
}

/** Deletes everything, the sign-out marker last. */
async function empty(context: WorkerContext): Promise<void> {
  // Wait for running work, which would write again.
  await context.locks.request('hapax-sync', async () => emptyImportQueue(await context.importQueue()))
  await context.locks.request('hapax-inventory-cache', async () => emptyInventoryCache(await context.inventory()))
  const { running } = await readTakeDowns(context.store)
  if (running) await context.closeTab(running.tab)
  await context.clearTraces()
  await alone(context, () => context.store.clear())
}

async function emptyImportQueue(importQueue: ImportQueue): Promise<void> {
  await importQueue.transaction('rw', importQueue.tables, async () => {
    for (const table of importQueue.tables) await table.clear()
  })
}

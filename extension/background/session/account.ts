import type { ImportQueue } from '#extension/storage/import-queue/database.ts'
import { emptyInventoryCache } from '#extension/storage/inventory-cache/database.ts'
import type { WorkerContext } from '../context.ts'
import { alone } from './keep-for.ts'
import { leaveSession, readLeaving, readSession, type Session, sameAccount, writeSession } from './session.ts'
import { endKey } from './sign-in.ts'

/**
 * Keeps the session. What was collected for another account is not for this one, and neither is what is here although
 * nobody is signed in: a signing out that was cut off has left it.
 */
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
    context.keepWatch()
  })
}

/**
 * Leaves nothing of the session here, and then ends its key (`endKey` tells what it answers). First of all here, so that
 * no server has a say in it; a worker that dies meanwhile is followed by one that finishes it.
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

/** Finishes a signing out that an earlier worker died of; does nothing where there was none. */
export async function finishSigningOut(context: WorkerContext): Promise<void> {
  const left = await oneAtATime(context, async () => {
    const leaving = await readLeaving(context.store)
    if (leaving) await empty(context)
    return leaving
  })
  if (left) await endKey(left, context.fetch)
}

/** Signing in and out, each from its beginning to its end: two windows may ask for both at once. */
function oneAtATime<T>(context: WorkerContext, work: () => Promise<T>): Promise<T> {
  return context.locks.request('hapax-account', work) as Promise<T>
}

/** In one write nobody is signed in any more; what is under way is given up, so that a server that hangs delays nothing. */
async function leave(context: WorkerContext): Promise<void> {
  await alone(context, () => leaveSession(context.store))
  context.sessionChanged()
}

/** Leaves nothing here, last of all the word that it is to be done. */
async function empty(context: WorkerContext): Promise<void> {
  // After what is under way, which would fill them again.
  await context.locks.request('hapax-sync', async () => emptyImportQueue(await context.importQueue()))
  await context.locks.request('hapax-inventory-cache', async () => emptyInventoryCache(await context.inventory()))
  await context.clearTraces()
  await alone(context, () => context.store.clear())
}

async function emptyImportQueue(importQueue: ImportQueue): Promise<void> {
  await importQueue.transaction('rw', importQueue.tables, async () => {
    for (const table of importQueue.tables) await table.clear()
  })
}

import type { DBCore, DBCoreTable, Dexie } from 'dexie'
import type { Store } from '#extension/background/session/store.ts'

export class Killed extends Error {}

/** Counts down with every touch of the world, and kills at zero: before it happens, or just after it happened. */
export class Fuse {
  left: number
  private readonly after: boolean
  touches = 0
  /** A killed worker touches nothing any more. */
  dead = false

  constructor(left: number, after: boolean) {
    this.left = left
    this.after = after
  }

  async through<T>(work: () => PromiseLike<T>): Promise<T> {
    if (this.dead) throw new Killed()
    this.touches++
    const burns = --this.left === 0
    if (burns) this.dead = true
    if (burns && !this.after) throw new Killed()
    const value = await work()
    if (burns) throw new Killed()
    return value
  }
}

/** Puts the fuse into every request to the database. */
export function fuseDatabase(database: Dexie, fuse: Fuse): void {
  database.use({
    stack: 'dbcore',
    name: 'fuse',
    create: (core: DBCore): DBCore => ({
      ...core,
      table: (name) => {
        const table = core.table(name)
        const wrapped: Partial<DBCoreTable> = {
          mutate: (request) => fuse.through(() => table.mutate(request)),
          getMany: (request) => fuse.through(() => table.getMany(request)),
          get: (request) => fuse.through(() => table.get(request)),
          query: (request) => fuse.through(() => table.query(request)),
        }
        return { ...table, ...wrapped }
      },
    }),
  })
}

/** The store with the fuse in everything that is done with it. */
export function fusedStore(store: Store, fuse: Fuse): Store {
  return {
    get: (name) => fuse.through(() => store.get(name)),
    set: (name, value) => fuse.through(() => store.set(name, value)),
    clear: () => fuse.through(() => store.clear()),
  }
}

export function wasKilled(error: unknown): boolean {
  if (error instanceof Killed) return true
  const { cause, inner } = Object(error) as { cause?: unknown; inner?: unknown }
  return [cause, inner].some((one) => one !== undefined && wasKilled(one))
}

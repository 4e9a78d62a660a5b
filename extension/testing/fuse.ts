import type { DBCore, DBCoreTable, Dexie } from 'dexie'
import type { Store } from '#extension/background/session/store.ts'

export class Killed extends Error {}

/** Counts external operations and kills the worker at zero: before the operation, or just after it. */
export class Fuse {
  left: number
  private readonly after: boolean
  touches = 0
  /** A killed worker performs no further operations. */
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

/** Passes every database request through the fuse. */
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

/** Passes every store operation through the fuse. */
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

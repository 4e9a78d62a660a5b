import { Dexie } from 'dexie'

/** Dexie multiplies versions by ten, and uses the numbers between for its patches. */
const browserVersions = 10

/**
 * Opens a disposable database. Deletes and recreates it if it cannot be opened or a newer version made it. Dexie would
 * patch a newer one, which may leave tables with the wrong key.
 */
export async function openOrRemake<Database extends Dexie>(make: () => Database): Promise<Database> {
  const database = make()
  const version = database.verno
  try {
    await database.open()
    if (database.backendDB().version <= version * browserVersions) return database
    database.close()
  } catch (error) {
    if (!(error instanceof Dexie.DexieError) || !remakes.has(error.name)) throw error
  }
  await Dexie.delete(database.name)
  const remade = make()
  await remade.open()
  return remade
}

const remakes = new Set(['VersionError', 'UpgradeError', 'UnknownError', 'InvalidStateError', 'NotFoundError'])

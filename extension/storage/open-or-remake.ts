import { Dexie } from 'dexie'

/** Dexie numbers the browser's own versions in tens, and goes between them when it patches what a newer one left. */
const browserVersions = 10

/**
 * Opens a database whose content can be read again from elsewhere: one that cannot be opened, or that a newer version of
 * this extension made, is deleted and made anew. Dexie opens a newer one too, patched, and what is patched may be
 * of no use: a table keeps the key that the newer version gave it.
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

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '#server/config.ts'
import { offersExtension } from './extension.ts'

/** Where `npm start` and `npm run build` put what they build. */
const built = fileURLToPath(new URL('../../extension/.output', import.meta.url))

/**
 * Returns a sentence for the operator about each part that sellers lack because it is not built. None in the sandbox,
 * which builds them while the server starts.
 */
export function missingBuilds(config: Config, folder = built): string[] {
  if (config.sandbox) return []
  const remedy = 'Run npm ci and npm run build in this release, and start it again (docs/own-server.md).'
  const parts: [boolean, string][] = [
    [existsSync(join(folder, 'web', 'index.html')), 'The web app is not built, so sellers get no /app/.'],
    [existsSync(join(folder, 'reference', 'swagger-ui.css.br')), 'The API reference is not built, so /docs is plain.'],
    [
      offersExtension(config, folder),
      'The extension is not packed and no store address is set, so /extension/ offers no download.',
    ],
  ]
  return parts.filter(([isThere]) => !isThere).map(([, fault]) => `${fault} ${remedy}`)
}

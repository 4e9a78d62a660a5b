import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openApiDocument } from '#server/http/openapi/openapi.ts'
import { version } from './version.ts'

it('is one for the package, the API document and the extension', () => {
  expect(openApiDocument({}, 'https://hapax.example.com')).toMatchObject({ info: { version } })
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(version)
  for (const file of ['extension/wxt.config.ts', 'extension/app/web/browser.ts']) {
    expect(/\bversion: '([^']+)'/.exec(readFileSync(file, 'utf8'))?.[1]).toBe(version)
  }
})

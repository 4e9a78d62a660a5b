import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

type Mode = 'production' | 'store'

const folderOf = (browser: 'chrome' | 'firefox', mode: Mode) =>
  join(root, 'extension', '.output', `${browser}-mv3${mode === 'store' ? '-store' : ''}`)

function buildManifest(
  browser: 'chrome' | 'firefox',
  mode: Mode,
  environment: Record<string, string> = {},
): Record<string, unknown> {
  const wxt = join(root, 'node_modules', 'wxt', 'bin', 'wxt.mjs')
  const built = spawnSync(process.execPath, [wxt, 'build', 'extension', '-b', browser, '--mv3', '--mode', mode], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  })
  if (built.status !== 0) throw new Error(built.stdout + built.stderr)
  return JSON.parse(readFileSync(join(folderOf(browser, mode), 'manifest.json'), 'utf8'))
}

const platforms = ['https://poshmark.com/*', 'https://www.mercari.com/*', 'https://www.depop.com/*']
const loopback = ['http://127.0.0.1/*', 'http://localhost/*']

describe('the extension’s permissions', () => {
  it('for the stores exclude the server until the seller signs in', () => {
    expect(buildManifest('chrome', 'store')).toEqual({
      manifest_version: 3,
      name: 'Hapax',
      description: 'Your items, listed everywhere, sold once.',
      version: expect.any(String),
      minimum_chrome_version: '126',
      icons: expect.any(Object),
      permissions: ['storage', 'alarms', 'notifications'],
      host_permissions: platforms,
      optional_host_permissions: ['https://*/*', ...loopback],
      content_security_policy: {
        extension_pages:
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src https: http://127.0.0.1:* http://localhost:*; connect-src https: http://127.0.0.1:* http://localhost:*; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      },
      action: { default_title: 'Hapax', default_popup: 'popup.html' },
      background: { service_worker: 'background.js' },
      content_scripts: [
        { matches: ['https://www.depop.com/*'], js: ['content-scripts/depop.js'] },
        { matches: ['https://www.mercari.com/*'], js: ['content-scripts/mercari.js'] },
        { matches: ['https://poshmark.com/*'], js: ['content-scripts/poshmark.js'] },
      ],
    })
  })

  it('for others also allow servers on this machine', () => {
    const store = buildManifest('chrome', 'store')
    expect(buildManifest('chrome', 'production')).toEqual({
      ...store,
      host_permissions: [...platforms, ...loopback],
      optional_host_permissions: ['https://*/*'],
    })
  })

  it('in Firefox are the same', () => {
    const chrome = buildManifest('chrome', 'store')
    const firefox = buildManifest('firefox', 'store')
    const asked = ['permissions', 'host_permissions', 'optional_host_permissions', 'content_security_policy']
    for (const name of asked) expect(firefox[name], name).toEqual(chrome[name])
    expect(firefox.background).toEqual({ scripts: ['background.js'] })
    expect(firefox.content_scripts).toEqual(chrome.content_scripts)
    expect(firefox.browser_specific_settings).toEqual({
      gecko: {
        id: expect.stringMatching(/^\{[0-9a-f-]{36}\}$/),
        strict_min_version: '142.0',
        data_collection_permissions: { required: ['authenticationInfo', 'websiteContent'] },
      },
    })
    const own = ['background', 'browser_specific_settings']
    expect(Object.keys(firefox).filter((name) => !(name in chrome) && !own.includes(name))).toEqual([])
  })
})

describe('the build', () => {
  it('keeps validators and databases out of what sellers wait for', () => {
    buildManifest('chrome', 'production')
    const folder = join(root, 'extension', '.output', 'chrome-mv3')
    const holding = (part: string, mark: RegExp) =>
      readdirSync(join(folder, part)).filter((name) => mark.test(readFileSync(join(folder, part, name), 'utf8')))
    const [zod, cheerio, dexie] = [/_zod|ZodError/, /cheerio/, /DexieError/]
    expect(holding('chunks', zod)).toEqual([])
    expect(holding('chunks', cheerio)).toEqual([])
    expect(holding('content-scripts', zod)).toEqual([])
    expect(holding('content-scripts', cheerio)).toEqual([])
    expect(holding('content-scripts', dexie)).toEqual([])
    // So that a marker that no longer matches is noticed.
    const worker = readFileSync(join(folder, 'background.js'), 'utf8')
    expect([zod, cheerio, dexie].map((mark) => mark.test(worker))).toEqual([true, true, true])
  })

  it('proposes the address of the server that built it', () => {
    const folder = join(folderOf('chrome', 'production'), 'chunks')
    const proposes = (address: string) =>
      readdirSync(folder).some((name) => readFileSync(join(folder, name), 'utf8').includes(address))
    buildManifest('chrome', 'production', { VITE_DEFAULT_SERVER: 'http://127.0.0.1:8280' })
    expect([proposes('http://127.0.0.1:8280'), proposes('http://127.0.0.1:8080')]).toEqual([true, false])
    buildManifest('chrome', 'production')
    expect([proposes('http://127.0.0.1:8280'), proposes('http://127.0.0.1:8080')]).toEqual([false, true])
  })

  it('includes the licenses of its packages', () => {
    buildManifest('chrome', 'production')
    const folder = join(root, 'extension', '.output', 'chrome-mv3', 'licenses')
    const licenses = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    for (const name of ['cheerio', 'dexie', 'preact', 'webextension-polyfill', 'zod']) {
      expect(
        licenses.some((text) => text.includes(`## ${name} - `)),
        name,
      ).toBe(true)
    }
    expect(licenses.join('')).toContain('Permission is hereby granted, free of charge')
  })

  it('never turns text into markup or code', () => {
    const sources = readdirSync(join(root, 'extension'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/(^|[\\/])(\.|node_modules|testing|bench)|\.test\./.test(name))
      .map((name) => [name, readFileSync(join(root, 'extension', name), 'utf8')] as const)
    expect(sources.length).toBeGreaterThan(100)
    const dangerous =
      /dangerouslySetInnerHTML|\b(inner|outer)HTML\s*=[^=]|insertAdjacentHTML|document\.write|\beval\(|new Function|setHTML|createContextualFragment|fixture: 'MAIN'/
    expect(sources.filter(([, text]) => dangerous.test(text)).map(([name]) => name)).toEqual([])
  })
})

describe('the store build', () => {
  it('is reproducible and reveals nothing of its machine', () => {
    const built = ['chrome', 'firefox'] as const
    for (const browser of built) {
      buildManifest(browser, 'store')
      const folder = folderOf(browser, 'store')
      const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(js|html|css|json)$/.test(name))
        .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
      expect(texts.length).toBeGreaterThan(8)
      expect(texts.filter(([, text]) => text.includes(root)).map(([name]) => name)).toEqual([])
      // Attributes for developer tools.
      expect(texts.filter(([, text]) => /\bfileName:|\blineNumber:/.test(text)).map(([name]) => name)).toEqual([])
    }
  })
})

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { type BuildOptions, buildExtension } from '#tools/build-extension.ts'
import { root } from '#tools/root.ts'

/** Builds that tests have made, each once, in a folder of their own: `npm start` hands out the usual one. */
const output = mkdtempSync(join(tmpdir(), 'hapax-manifest-'))
const built = new Map<string, Promise<string>>()
afterAll(() => rmSync(output, { recursive: true, force: true }))

interface Build {
  browser: 'chrome' | 'firefox'
  mode: 'production' | 'store'
  /** The address that the sign-in form proposes. */
  server?: string
}

/** Builds the extension and returns its folder. */
function build(one: Build): Promise<string> {
  const key = JSON.stringify(one)
  const made = built.get(key) ?? (one.mode === 'store' ? buildForStore(one.browser) : buildUsual(one))
  built.set(key, made)
  return made
}

const outputOf = ({ browser, server = '' }: Build) => join(output, `${browser}-${server.replace(/\W/g, '')}`)

async function buildUsual(one: Build): Promise<string> {
  if (one.server) return buildExtension(one.browser, { server: one.server, output: outputOf(one) })
  // A copy of the build that browser tests share.
  const shared = await buildExtension(one.browser, { output: '.cache/builds' })
  const folder = join(outputOf(one), basename(shared))
  await cp(shared, folder, { recursive: true })
  return folder
}

async function buildForStore(browser: string): Promise<string> {
  const wxt = join(root, 'node_modules', 'wxt', 'bin', 'wxt.mjs')
  const args = [wxt, 'build', 'extension', '-b', browser, '--mv3', '--mode', 'store']
  const env = { ...process.env, WXT_OUT_DIR: output }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env })
  if (status !== 0) throw new Error(stdout + stderr)
  return join(output, `${browser}-mv3-store`)
}

const manifestOf = async (one: Build): Promise<Record<string, unknown>> =>
  JSON.parse(readFileSync(join(await build(one), 'manifest.json'), 'utf8'))

const platforms = ['https://poshmark.com/*', 'https://www.mercari.com/*', 'https://www.depop.com/*']
const loopback = ['http://127.0.0.1/*', 'http://localhost/*']

describe('the extension’s permissions', () => {
  it('for the stores exclude the server until the seller signs in', async () => {
    expect(await manifestOf({ browser: 'chrome', mode: 'store' })).toEqual({
      manifest_version: 3,
      name: 'Hapax',
      description: 'Your items, listed everywhere, sold once.',
      version: expect.any(String),
      minimum_chrome_version: '126',
      icons: expect.any(Object),
      permissions: ['storage', 'alarms', 'notifications', 'scripting'],
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

  it('for others also allow servers on this machine', async () => {
    const store = await manifestOf({ browser: 'chrome', mode: 'store' })
    expect(await manifestOf({ browser: 'chrome', mode: 'production' })).toEqual({
      ...store,
      host_permissions: [...platforms, ...loopback],
      optional_host_permissions: ['https://*/*'],
    })
  })

  it('in Firefox are the same', async () => {
    const chrome = await manifestOf({ browser: 'chrome', mode: 'store' })
    const firefox = await manifestOf({ browser: 'firefox', mode: 'store' })
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

describe('the store pages', () => {
  const text = readFileSync(join(root, 'docs/store/README.md'), 'utf8')
  const part = (heading: string) => text.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!
  const pasted = (heading: string) => /```text\n([\s\S]*?)\n```/.exec(part(heading))![1]!

  it('give a reason for each permission of the manifest, and no other', async () => {
    const manifest = await manifestOf({ browser: 'chrome', mode: 'store' })
    const asked = ['permissions', 'host_permissions', 'optional_host_permissions'].flatMap(
      (name) => manifest[name] as string[],
    )
    const explained = [...part('Why each permission').matchAll(/^\| `([^`]+)` \| (.{20,1000}) \|$/gm)]
    expect(explained.map(([, permission]) => permission).sort()).toEqual(asked.sort())
  })

  it('fit the limits of both stores', async () => {
    const manifest = await manifestOf({ browser: 'chrome', mode: 'store' })
    expect(pasted('Name')).toBe(manifest.name)
    expect(part('Summary')).toContain(`"${manifest.description}"`)
    expect(String(manifest.description).length).toBeLessThanOrEqual(132)
    expect(pasted('Summary').length).toBeLessThanOrEqual(250)
    expect(pasted('Description').length).toBeLessThanOrEqual(15_000)
    expect(pasted('Single purpose').length).toBeLessThanOrEqual(1_000)
  })

  it('answer for Chrome what Firefox reads from the manifest', async () => {
    const { browser_specific_settings: own } = await manifestOf({ browser: 'firefox', mode: 'store' })
    const { required } = (own as { gecko: { data_collection_permissions: { required: string[] } } }).gecko
      .data_collection_permissions
    for (const kind of required) expect(part('Privacy answers')).toContain(`\`${kind}\``)
    const kinds = { authenticationInfo: 'Authentication information', websiteContent: 'Website content' }
    expect(required.sort()).toEqual(Object.keys(kinds).sort())
    for (const kind of Object.values(kinds)) expect(part('Privacy answers')).toContain(`| ${kind} | yes |`)
  })

  it('have pictures of the sizes that the stores take', async () => {
    const pictures = readdirSync(join(root, 'docs/store')).filter((name) => name.endsWith('.png'))
    expect(pictures.length).toBeGreaterThanOrEqual(4)
    for (const name of pictures) {
      const { width, height, hasAlpha } = await sharp(join(root, 'docs/store', name)).metadata()
      if (name.startsWith('icon')) expect([width, height], name).toEqual([128, 128])
      else expect([width, height, hasAlpha], name).toEqual([1280, 800, false])
    }
  })
})

describe('the build', () => {
  it('keeps validators and databases out of what sellers wait for', async () => {
    const folder = await build({ browser: 'chrome', mode: 'production' })
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

  it('loads at most 60 kB into each page of a marketplace', async () => {
    for (const browser of ['chrome', 'firefox'] as const) {
      const folder = join(await build({ browser, mode: 'production' }), 'content-scripts')
      const sizes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size] as const)
      expect(sizes).toHaveLength(3)
      expect(sizes.filter(([, size]) => size > 60_000)).toEqual([])
    }
  })

  it('proposes the address of the server that built it', async () => {
    const proposes = async (server: string | undefined, address: string) => {
      const folder = join(await build({ browser: 'chrome', mode: 'production', server }), 'chunks')
      return readdirSync(folder).some((name) => readFileSync(join(folder, name), 'utf8').includes(address))
    }
    const [usual, other] = ['http://127.0.0.1:8080', 'http://127.0.0.1:8280']
    expect([await proposes(other, other), await proposes(other, usual)]).toEqual([true, false])
    expect([await proposes(undefined, other), await proposes(undefined, usual)]).toEqual([false, true])
  })

  it('is made once from the same sources, for the same server and browser', async () => {
    const one = { browser: 'chrome', mode: 'production' } as const
    const folder = await build(one)
    // The signal stops every build at once, so that only a folder that is kept is returned.
    const again = (options: BuildOptions = {}) =>
      buildExtension('chrome', {
        output: outputOf(one),
        signal: AbortSignal.abort(new Error('it is built')),
        ...options,
      })
    expect(await again()).toBe(folder)
    await expect(again({ server: 'http://127.0.0.1:8280' })).rejects.toThrow('it is built')
    await expect(again({ zip: true })).rejects.toThrow('it is built')
    rmSync(join(folder, '.built-from'))
    await expect(again()).rejects.toThrow('it is built')
  })

  it('includes the licenses of its packages', async () => {
    const folder = join(await build({ browser: 'chrome', mode: 'production' }), 'licenses')
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
      .filter((name) => /\.tsx?$/.test(name) && !/(^|[\\/])(\.|node_modules|testing)|\.test\./.test(name))
      .map((name) => [name, readFileSync(join(root, 'extension', name), 'utf8')] as const)
    expect(sources.length).toBeGreaterThan(100)
    const dangerous =
      /dangerouslySetInnerHTML|\b(inner|outer)HTML\s*=[^=]|insertAdjacentHTML|document\.write|\beval\(|new Function|setHTML|createContextualFragment|fixture: 'MAIN'/
    expect(sources.filter(([, text]) => dangerous.test(text)).map(([name]) => name)).toEqual([])
  })
})

describe('the store build', () => {
  it('is reproducible and reveals nothing of its machine', async () => {
    for (const browser of ['chrome', 'firefox'] as const) {
      const folder = await build({ browser, mode: 'store' })
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

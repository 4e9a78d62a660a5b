import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { release, sectionOf } from '#tools/changelog.ts'

const changelog = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0, 2026-11-29\n\n- First.\n'

function someFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hapax-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('the changelog', () => {
  it('gives what is unreleased to the version that is made', () => {
    const text = release(changelog, '0.2.0', '2026-12-24')
    expect(text).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0, 2026-12-24\n\n- New.\n\n## 0.1.0, 2026-11-29\n\n- First.\n',
    )
    expect([sectionOf(text, '0.2.0'), sectionOf(text, 'Unreleased')]).toEqual(['- New.', ''])
    expect([sectionOf(text, '0.1.0'), sectionOf(text, '0.1')]).toEqual(['- First.', null])
  })

  it.each([
    ['nothing is unreleased', changelog.replace('- New.\n', ''), '0.2.0'],
    ['there is no such section', '# Changelog\n', '0.2.0'],
    ['the version is there', changelog, '0.1.0'],
  ])('makes no version where %s', (_, text, version) => {
    expect(() => release(text, version, '2026-12-24')).toThrow(/^CHANGELOG\.md/)
  })

  it('says in fewer than 1,000 words what users get', () => {
    const text = readFileSync('CHANGELOG.md', 'utf8')
    expect(text.split(/\s+/).length).toBeLessThan(1_000)
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    const named = [...text.matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name!)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})

describe('npm version', () => {
  it('makes no tag while nothing is unreleased, and then one with its changes', () => {
    const folder = someFolder()
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
        cwd: folder,
        encoding: 'utf8',
      })
    mkdirSync(join(folder, '.tools'))
    for (const name of ['run.mjs', 'changelog.ts', 'root.ts'])
      copyFileSync(join('.tools', name), join(folder, '.tools', name))
    for (const name of ['package.json', 'package-lock.json']) copyFileSync(name, join(folder, name))
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n')
    git('init', '--quiet')
    git('add', '--all')
    git('commit', '--quiet', '--message', 'Begin')
    const version = () => {
      const identity = { GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@example.com' }
      return spawnSync('npm', ['version', '7.8.9'], {
        ...{ cwd: folder, encoding: 'utf8' },
        env: { ...process.env, ...identity, GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@example.com' },
      })
    }
    const refused = version()
    expect([refused.status === 0, refused.stderr]).toEqual([false, expect.stringContaining('says nothing under')])
    expect(git('tag')).toBe('')
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
    git('commit', '--quiet', '--all', '--message', 'Change')
    expect(version()).toMatchObject({ status: 0 })
    expect(git('tag')).toBe('v7.8.9\n')
    const tagged = git('show', 'v7.8.9:CHANGELOG.md')
    expect(tagged).toMatch(/^## Unreleased\n\n## 7\.8\.9, \d{4}-\d\d-\d\d\n\n- New\.$/m)
    expect(JSON.parse(git('show', 'v7.8.9:package.json')).version).toBe('7.8.9')
  })
})

describe('the release at GitHub', () => {
  it('appears once all of its files are there', async () => {
    const folder = someFolder()
    mkdirSync(join(folder, '.ci'))
    mkdirSync(join(folder, 'release'))
    copyFileSync('.ci/publish-files', join(folder, '.ci/publish-files'))
    const files = { 'NOTES.md': 'Says "much":\n- all\n', 'hapax-7.8.9-chrome.zip': '\0zip', SHA256SUMS: 'x  y\n' }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'release', name), text)
    const asked: string[] = []
    const github = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      asked.push(`${request.method} ${request.url} ${request.headers.authorization} ${Buffer.concat(chunks)}`)
      response.end('{"id": 17}')
    })
    await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void github.close())
    const url = `http://127.0.0.1:${(github.address() as AddressInfo).port}`
    const env = {
      GITHUB_TOKEN: 'ghs_x',
      GITHUB_REF_NAME: 'v7.8.9',
      RELEASES_URL: `${url}/releases`,
      UPLOADS_URL: `${url}/uploads`,
    }
    await promisify(execFile)(join(folder, '.ci/publish-files'), { env: { PATH: process.env.PATH, ...env } })
    const by = 'Bearer ghs_x'
    const draft = JSON.stringify({ tag_name: 'v7.8.9', name: 'v7.8.9', draft: true, body: files['NOTES.md'] })
    expect(asked).toEqual([
      `POST /releases ${by} ${draft}`,
      ...['NOTES.md', 'SHA256SUMS', 'hapax-7.8.9-chrome.zip'].map(
        (name) => `POST /uploads/17/assets?name=${name} ${by} ${files[name as keyof typeof files]}`,
      ),
      `PATCH /releases/17 ${by} {"draft":false}`,
    ])
  })
})

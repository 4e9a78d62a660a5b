import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface Component {
  name: string
  version: string
  purl: string
  licenses?: object[]
  hashes?: { alg: string }[]
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { resolved?: string; integrity?: string }>
}
const isLocked = (name: string) => Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`))

it('lists every package with version, hash and license', () => {
  const bom = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--include=dev'], {
      encoding: 'utf8',
      maxBuffer: 64_000_000,
      stdio: 'pipe',
    }),
  )
  expect(bom.bomFormat).toBe('CycloneDX')
  const components = bom.components as Component[]
  const names = new Set(components.map(({ name }) => name))
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !names.has(name))).toEqual([])
  const faulty = components.filter(
    ({ name, version, purl, licenses, hashes }) =>
      !version ||
      !purl.startsWith('pkg:npm/') ||
      !licenses?.length ||
      // The package `node` downloads the binary of the machine's platform itself.
      (isLocked(name) && !hashes?.some(({ alg }) => alg === 'SHA-512')),
  )
  expect(faulty.map(({ name }) => name)).toEqual([])
})

it('locks every package by hash to the public registry', () => {
  const faulty = Object.entries(packages).filter(
    ([path, { resolved, integrity }]) =>
      path !== '' &&
      (!integrity?.startsWith('sha512-') || (resolved && !resolved.startsWith('https://registry.npmjs.org/'))),
  )
  expect(faulty.map(([path]) => path)).toEqual([])
})

it('hands on the license of every package that production runs', () => {
  const notices = execFileSync('npm', ['run', '--silent', 'lab', '--', 'licenses'], {
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const missing = Object.keys(dependencies).filter((name) => !notices.includes(`\n${name} `))
  expect(missing).toEqual([])
})

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#tools/root.ts'

/**
 * `npm run --silent lab -- licenses > notices.txt` prints the license and notices of every package that production runs. It
 * fails if a license cannot be combined with the AGPL, and names the package.
 */
interface Package {
  name: string
  version: string
  license?: string
  path: string
}

/** Licenses whose works may be combined with a work under the AGPL 3.0 or later. */
const compatible =
  /^\(?(MIT|MIT-0|ISC|0BSD|BlueOak-1\.0\.0|BSD-[23]-Clause|Apache-2\.0|Unlicense|CC0-1\.0|CC-BY-[34]\.0|Python-2\.0|(L|A)?GPL-3\.0(-only|-or-later)?|MPL-2\.0)\b/

/** The packages that production runs. */
const packages = (
  JSON.parse(execFileSync('npm', ['query', '.prod'], { cwd: root, maxBuffer: 2 ** 28 }).toString()) as Package[]
)
  .filter(({ path }) => path !== root)
  .toSorted((one, other) => one.name.localeCompare(other.name))

const faulty = packages.filter(({ license }) => !compatible.test(license ?? ''))
if (faulty.length > 0) {
  const list = faulty.map(({ name, version, license }) => `${name} ${version}: ${license ?? 'no license'}`)
  process.stderr.write(`These packages cannot be part of a work under the AGPL:\n  ${list.join('\n  ')}\n`)
  process.exit(1)
}
for (const { name, version, license, path } of packages) {
  process.stdout.write(`${'='.repeat(78)}\n${name} ${version} (${license})\n\n`)
  const notices = readdirSync(path).filter(
    (file) => /^(licen[cs]e|copying|notice)/i.test(file) && !/\.[jt]s$/.test(file),
  )
  for (const file of notices) process.stdout.write(`${readFileSync(join(path, file), 'utf8').trim()}\n\n`)
}

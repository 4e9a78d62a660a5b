import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sectionOf } from './changelog.ts'
import { root } from './root.ts'

/**
 * `npm run release:files [TAG]`: writes the files of a release to `release/`: the client, the extension for each store with
 * its sources, the bill of materials, notes and checksums. Throws if the tag is not that of package.json.
 */
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const tag = process.argv[2] ?? `v${version}`
if (tag !== `v${version}`) throw new Error(`The tag ${tag} is not that of package.json, v${version}.`)
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
const notes = sectionOf(changelog, version) ?? (process.argv[2] ? null : sectionOf(changelog, 'Unreleased'))
if (!notes) throw new Error(`CHANGELOG.md has no section of ${version}: tags are made by npm version.`)

const folder = join(root, 'release')
const npm = (...args: string[]) => execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000 })
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
npm('run', 'build')
const built = join(root, 'extension', '.output')
for (const name of readdirSync(built).filter((one) => one.includes(`-${version}-`) && one.endsWith('.zip'))) {
  copyFileSync(join(built, name), join(folder, name))
}
npm('run', 'pack:client', '--', folder)
writeFileSync(join(folder, `hapax-${version}.cdx.json`), npm('sbom', '--sbom-format=cyclonedx', '--omit=dev'))
writeFileSync(join(folder, 'NOTES.md'), `${notes}\n`)
const names = readdirSync(folder).sort()
const sums = names.map(
  (name) =>
    `${createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')}  ${name}\n`,
)
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
console.log([...names, 'SHA256SUMS'].map((name) => `${basename(folder)}/${name}`).join('\n'))

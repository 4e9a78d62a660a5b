import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './root.ts'

const file = join(root, 'CHANGELOG.md')
const heading = '## Unreleased'

/** Returns what a section of the changelog says, without its heading; null without such a section. */
export function sectionOf(text: string, title: string): string | null {
  const section = text
    .split(/^(?=## )/m)
    .find((one) => one.startsWith(`## ${title}\n`) || one.startsWith(`## ${title},`))
  return section === undefined ? null : section.slice(section.indexOf('\n')).trim()
}

/** Returns the changelog with what is unreleased under a version. Throws if nothing is. */
export function release(text: string, version: string, day: string): string {
  if (!sectionOf(text, 'Unreleased'))
    throw new Error(`CHANGELOG.md says nothing under "${heading}": write what changes for users.`)
  if (sectionOf(text, version) !== null) throw new Error(`CHANGELOG.md has a section of ${version} already.`)
  return text.replace(heading, `${heading}\n\n## ${version}, ${day}`)
}

/** `preversion` checks, `version` writes: both are parts of `npm version 0.2.0`. */
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const isCheck = process.argv[2] === '--check'
  try {
    const text = release(
      readFileSync(file, 'utf8'),
      isCheck ? 'the next release' : version,
      new Date().toISOString().slice(0, 10),
    )
    if (!isCheck) writeFileSync(file, text)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}

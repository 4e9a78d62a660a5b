import { readFileSync } from 'node:fs'

interface CodeBlock {
  /** The heading above it. */
  heading: string
  /** `sh` for commands that a test runs as they are; empty for those that need another machine. */
  language: string
  code: string
}

/** Returns the code blocks of docs/own-server.md in their order. */
export function documentedCommands(): CodeBlock[] {
  const page = readFileSync('docs/own-server.md', 'utf8')
  let heading = ''
  return [...page.matchAll(/^#+ ([^\n]+)$|^```(\w*)\n(.*?)^```$/gms)].flatMap(([, title, language, code]) => {
    if (title !== undefined) heading = title
    return code === undefined ? [] : [{ heading, language: language ?? '', code }]
  })
}

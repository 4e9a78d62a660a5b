import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listSettings } from '#server/config.ts'
import { root } from './root.ts'

const [from, to] = ['<!-- settings: npm run settings -->\n', '<!-- end of settings -->\n']

/** Variables that compose.yml reads from .env, which are no settings of Hapax. */
const composeVariables = [
  {
    name: 'DOMAIN',
    description: 'The host name of PUBLIC_URL, such as `hapax.example.com`: Caddy gets a certificate for it.',
  },
  {
    name: 'POSTGRES_PASSWORD',
    description:
      'The password of the database, before its first start; any signs (`openssl rand -base64 32`), in single quotes where it has a dollar sign.',
  },
]

/** Returns the files that are made from the settings, as they should be. */
export function settingsFiles(): { path: string; text: string }[] {
  const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const [before, rest] = operations.split(from)
  const [, after] = (rest ?? '').split(to)
  return [
    { path: '.env.example', text: example() },
    { path: 'docs/operations.md', text: `${before}${from}${tables()}${to}${after}` },
  ]
}

function example(): string {
  const compose = {
    topic: 'compose.yml alone',
    settings: composeVariables.map((one) => ({ ...one, default: null })),
  }
  const topics = [...listSettings(), compose].map(({ topic, settings }) => {
    const lines = settings.map(({ name, description, default: value }) => `# ${description}\n#${name}=${value ?? ''}`)
    return `## ${topic}\n\n${lines.join('\n')}\n`
  })
  return `# Settings of Hapax, written by \`npm run settings\`. Remove the # before a name to set it; values shown are the defaults.\n\n${topics.join('\n')}`
}

function tables(): string {
  return listSettings()
    .map(({ topic, settings }) => {
      const rows = settings.map(({ name, description, default: value }) => {
        return `| \`${name}\` | ${description} | ${value ? `\`${value}\`` : ''} |`
      })
      return `\n### ${topic}\n\n| Setting | Meaning | Default |\n|---|---|---|\n${rows.join('\n')}\n`
    })
    .join('')
}

/** `npm run settings`: writes them. */
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { path, text } of settingsFiles()) writeFileSync(join(root, path), text)
}

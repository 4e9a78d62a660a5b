import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { platforms } from '#shared/platforms.ts'
import { settingsFiles } from '#tools/settings.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'server/infra/jobs/README.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

/** Returns the anchors that GitHub gives the headings of a page. */
const anchorsOf = (page: string) =>
  new Set(
    [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

describe('the documentation', () => {
  it.each(pages)('links from %s only to existing files', async (page) => {
    const links = [...textOf(page).matchAll(/\]\(([^)#\s]+)[^)]*\)|src="([^"]+)"/g)].map(
      ([, link, source]) => link ?? source!,
    )
    const local = links.filter((link) => !/^[a-z]+:/.test(link))
    const missing: string[] = []
    for (const link of local) await access(join(root, dirname(page), link)).catch(() => missing.push(link))
    expect(missing).toEqual([])
  })

  it('gives a reason for each claim loop', () => {
    const sources = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    )
    const loops = sources.flatMap((file) =>
      [...textOf(join('server', file)).matchAll(/startClaimWorker<\w+>\(services, \{\s*name: ['`]([a-z-]+)/g)].map(
        ([, name]) => name,
      ),
    )
    const listed = [...textOf('server/infra/jobs/README.md').matchAll(/^\| `([a-z-]+)[^|]+\| \w/gm)].map(
      ([, name]) => name,
    )
    expect(loops.length).toBeGreaterThan(6)
    expect([...new Set(listed)].sort()).toEqual(loops.sort())
  })

  it.each(pages)('links from %s only to existing headings', (page) => {
    const links = [...textOf(page).matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)].filter(([, link]) => !link!.includes(':'))
    const missing = links.filter(([, link, anchor]) => !anchorsOf(link ? join(dirname(page), link) : page).has(anchor!))
    expect(missing.map(([link]) => link)).toEqual([])
  })

  it.each(pages)('shows in %s the names that linked files have', (page) => {
    const links = [...textOf(page).matchAll(/\[`?([\w./-]+\.(?:tsx?|sql|mjs))`?\]\(([^)#\s]+)/g)]
    expect(links.filter(([, label, link]) => basename(label!) !== basename(link!)).map(([link]) => link)).toEqual([])
  })

  it('names only commands that exist, as all code does', () => {
    // The changelog tells of former ones, and three tests of made-up ones.
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
      .split('\n')
      .filter((file) => file !== '' && !/^CHANGELOG\.md$|^package-lock\.json$|\.(png|webp|ico)$/.test(file))
    const { scripts } = JSON.parse(textOf('package.json'))
    const labs = readdirSync(join(root, 'e2e/lab/commands')).map((file) => basename(file, '.ts'))
    const named = files
      .filter((file) => existsSync(join(root, file)))
      .flatMap((file) => [...textOf(file).matchAll(/npm run (?:--silent )?([a-z][\w:-]*)(?: -- ([a-z]+))?/g)])
    expect(named.length).toBeGreaterThan(100)
    const missing = named.filter(
      ([, script, lab]) => !(script! in scripts) || (script === 'lab' && lab && !labs.includes(lab)),
    )
    expect(missing.map(([command]) => command)).toEqual([])
  })

  it('shows every laboratory to developers', () => {
    const labs = readdirSync(join(root, 'e2e/lab/commands')).filter((file) => !file.endsWith('.test.ts'))
    const shown = [...textOf('docs/laboratories.md').matchAll(/^\| `npm run lab -- ([a-z]+)/gm)].map(
      ([, lab]) => `${lab}.ts`,
    )
    expect(shown.sort()).toEqual(labs.sort())
  })

  it('welcomes a newcomer in fewer than 500 words', () => {
    expect(textOf('README.md').split(/\s+/).length).toBeLessThan(500)
  })

  it('is read in 2,800 words before a first change, and in 45,000 as a whole', () => {
    const wordsOf = (page: string) => textOf(page).trim().split(/\s+/).length
    const count = (list: string[]) => list.reduce((sum, page) => sum + wordsOf(page), 0)
    const all = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n')
    expect(count(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md'])).toBeLessThanOrEqual(2_800)
    expect(count(all)).toBeLessThanOrEqual(45_000)
  })

  it.each(settingsFiles())('shows in $path what the code says (npm run settings)', ({ path, text }) => {
    expect(textOf(path)).toBe(text)
  })

  it('lets operators start from an example that only asks for invitations', () => {
    const set = textOf('.env.example')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(set).toEqual(['REGISTRATION=invited'])
  })

  it.each(['docs/threats.md', 'docs/faults.md'])('names a test for every row of %s', (page) => {
    const rows = textOf(page)
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (Attack|Invariant|Component) \|/.test(line))
    expect(rows.length).toBeGreaterThan(40)
    expect(rows.filter((row) => !row.includes('.test.ts)') && !row.includes('by construction'))).toEqual([])
  })
})

interface Workflow {
  permissions: Record<string, string>
  jobs: Record<
    string,
    {
      container?: { image: string }
      permissions?: Record<string, string>
      steps: { uses?: string; run?: string; with?: Record<string, unknown> }[]
    }
  >
}

interface IssueForm {
  name: string
  description: string
  body: {
    type: string
    id?: string
    attributes: { label?: string; value?: string; options?: (string | { label: string; required?: boolean })[] }
  }[]
}

describe('the configuration of GitHub', () => {
  const yaml = (path: string) => parse(textOf(join('.github', path)))
  const workflows: Workflow[] = ['ci', 'release'].map((name) => yaml(`workflows/${name}.yml`))
  const jobs = workflows.flatMap((workflow) => Object.values(workflow.jobs))
  const steps = jobs.flatMap((job) => job.steps)
  const forms: IssueForm[] = ['bug.yml', 'feature.yml'].map((name) => yaml(join('ISSUE_TEMPLATE', name)))

  it('runs only programs that exist', async () => {
    const commands = steps.flatMap(({ run }) => (run ? [run] : []))
    expect(commands).toContain('.ci/run')
    for (const command of commands.filter((command) => command.startsWith('.'))) {
      await access(join(root, command.split(' ')[0]!), constants.X_OK)
    }
    const { scripts } = JSON.parse(textOf('package.json'))
    const used = [...[...commands, textOf('.ci/run')].join('\n').matchAll(/npm (?:run )?([a-z:]+)/g)]
    expect(used.map(([, name]) => name!).filter((name) => !(name in { ...scripts, ci: '' }))).toEqual([])
  })

  it('runs on the oldest Node that package.json allows', () => {
    const { engines } = JSON.parse(textOf('package.json'))
    const versions = jobs.flatMap(({ container }) => (container ? [/^node:(\d+)-/.exec(container.image)?.[1]] : []))
    expect(new Set(versions)).toEqual(new Set([/^>=(\d+)/.exec(engines.node)![1]]))
  })

  it('pins every action to a commit', () => {
    const actions = steps.flatMap(({ uses }) => (uses ? [uses] : []))
    expect(actions.length).toBeGreaterThan(0)
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
    const texts = ['ci', 'release'].map((name) => textOf(`.github/workflows/${name}.yml`)).join('')
    expect(texts.match(/uses: .+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/gm)).toHaveLength(actions.length)
  })

  it('gives workflows no right but to read the code and publish a release', () => {
    expect(workflows.map(({ permissions }) => permissions)).toEqual([{ contents: 'read' }, { contents: 'read' }])
    expect(jobs.flatMap(({ permissions }) => (permissions ? [permissions] : []))).toEqual([
      { contents: 'write', 'id-token': 'write', attestations: 'write' },
      { contents: 'read', packages: 'write' },
    ])
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual([false, false, false])
  })

  it('has issue forms that ask for the marketplace and refuse secrets', () => {
    for (const { name, description, body } of forms) {
      expect([name, description].every(Boolean)).toBe(true)
      const ids = body.flatMap(({ id }) => (id ? [id] : []))
      expect(new Set(ids).size).toBe(ids.length)
      expect(
        body.filter(({ type, attributes }) => !(type === 'markdown' ? attributes.value : attributes.label)),
      ).toEqual([])
      const marketplaces = body.find(({ id }) => id === 'marketplace')?.attributes.options
      expect(marketplaces).toEqual([...platforms.map((platform) => platform.name), 'Several', 'None'])
    }
    expect(JSON.stringify(forms[0])).toContain('Never post secrets')
    expect(forms[0]!.body.find(({ id }) => id === 'secrets')!.attributes.options).toEqual([
      expect.objectContaining({ required: true }),
    ])
  })

  it('sends reports of vulnerabilities away from public issues', () => {
    const { blank_issues_enabled, contact_links } = yaml('ISSUE_TEMPLATE/config.yml')
    expect(blank_issues_enabled).toBe(false)
    expect(contact_links).toEqual([
      { name: 'Vulnerability', url: expect.stringMatching(/^https:/), about: expect.stringContaining('SECURITY.md') },
    ])
  })

  it('has a template of five lines for pull requests', () => {
    expect(textOf('.github/pull_request_template.md').trimEnd().split('\n')).toHaveLength(5)
  })

  it('asks weekly for newer packages and actions', () => {
    const { updates } = yaml('dependabot.yml')
    expect(updates).toMatchObject([
      { 'package-ecosystem': 'npm', directory: '/', schedule: { interval: 'weekly' }, groups: {} },
      { 'package-ecosystem': 'github-actions', directory: '/', schedule: { interval: 'weekly' }, groups: {} },
    ])
  })
})

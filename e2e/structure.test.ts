import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The house rules that can be checked (docs/architecture.md). */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '')

const isCode = (file: string) => /\.(ts|tsx|mjs)$/.test(file)
const isTest = (file: string) => /\.test\.tsx?$|\/testing\/|\/fixtures\//.test(file)
const text = (file: string) => readFileSync(file, 'utf8')
const importsOf = (file: string) =>
  [...text(file).matchAll(/(?:from|import)\s*\(?\s*'([^'\n]+)'/g)].map((match) => match[1]!)

/** Returns the feature of a query: the folder below its room, or the room itself if it has the query. */
const featureOf = (query: string) =>
  query
    .split('/')
    .slice(0, query.split('/')[2] === 'queries.ts' ? 2 : 3)
    .join('/')

/** Returns the files that break a rule, so that a failure names them. */
function breaking(candidates: string[], broken: (file: string) => boolean): string[] {
  return candidates.filter(broken)
}

/** The rooms of the server from the ground up (docs/architecture.md). A room imports only rooms before it. */
const serverRooms = [
  'infra',
  'http',
  'webhooks',
  'integrations',
  'accounts',
  'selling',
  'catalog',
  'mcp',
  'pages',
  'operations',
]

/** The folder of the server outside the product. */
const outsideProduct = ['sandbox']

/** Files that begin a transaction without `transaction()`, with the reason. */
const bareTransactions = {
  'server/infra/db/migrate.ts': 'a script waits for locks by retries of its own',
  'server/infra/db/transaction.ts': 'defines it',
  'server/integrations/connections/refresh-access.ts': 'a second run would send a refresh token that is used up',
}

/** Most entries of a folder that one can hold in the head. Tests, fixtures and folders of SQL are not counted. */
const mostEntries = 24

/** Returns what lies directly in each folder of the house, a folder within it counted as one. */
function entriesOfFolders(): Map<string, Set<string>> {
  const entries = new Map<string, Set<string>>()
  const house = files.filter((file) => /^(?:server|extension|shared|e2e)\//.test(file) && !isTest(file))
  for (const file of house.filter((file) => !outsideProduct.includes(roomOf(file)))) {
    const parts = file.split('/')
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/')
      entries.set(folder, (entries.get(folder) ?? new Set()).add(parts[depth]!))
    }
  }
  return entries
}

/** Features that a newcomer can leave unread: most files outside of their rooms that name them. */
const features = [
  { feature: 'sale mail', names: /sale[-_]mail|saleMail|SaleMail|SALE_MAIL/, rooms: /sale-mail/, most: 15 },
  {
    feature: 'shipments',
    names: /shipment/i,
    // Marketplaces have fields of that name.
    rooms: /\/shipments?[-./]|\/app\/shipping\/|^server\/integrations\/(ebay|etsy)\//,
    most: 10,
  },
  {
    feature: 'saved views',
    names: /[sS]aved.?[vV]iew|views-menu|views(?:Routes|Room)|\/views(?:\/|\.ts)|\b(?:list|save|delete)View/,
    rooms: /\/views[-./]|saved-views/,
    most: 5,
  },
]

const roomOf = (file: string) => file.split('/')[1]!

/** Returns imports between product files of one top folder. Files at its root connect the rooms. */
function productArrows(top: string): { from: string; to: string }[] {
  return files
    .filter((file) => file.startsWith(top) && isCode(file) && !isTest(file))
    .flatMap((from) =>
      importsOf(from)
        .map((name) => (name.startsWith('#') ? name.slice(1) : posix.join(posix.dirname(from), name)))
        .filter((to) => to.startsWith(top) && to.split('/').length > 2 && roomOf(to) !== roomOf(from))
        .map((to) => ({ from, to })),
    )
}

/** Returns the packages that running these files loads; type imports load nothing. */
function packagesOf(entries: string[]): Set<string> {
  const packages = new Set<string>()
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, , from, loaded] of text(file).matchAll(
      /^(?:import|export) (?!type )([^'\n]*\n?(?:[^'";]*?)from )?'([^']+)'|import\('([^']+)'\)/gm,
    )) {
      const name = (from ?? loaded)!
      if (name.startsWith('#')) visit(name.slice(1))
      else if (name.startsWith('.')) visit(posix.join(posix.dirname(file), name))
      else if (!name.startsWith('node:'))
        packages.add(
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        )
    }
  }
  for (const entry of entries) visit(entry)
  return packages
}

/** After the last commit with a subject that is too long. */
const sinceShortSubjects = '2026-11-25T13:38:35Z'

/** Suites that need what a machine may lack. `npm test` counts and names the ones that it skips. */
const needs: Record<string, string> = {
  'e2e/firefox.test.ts': 'Firefox',
  'e2e/full-disk.test.ts': 'the right to mount a small disk; a nearly full one is tested without in disk-guard.test.ts',
  'server/install.test.ts': 'systemd-analyze, which alone knows what systemd takes',
  'server/nginx.test.ts': 'nginx',
  'server/operations/backup/drill.campaign.test.ts': 'pg_dump and pg_restore, which no package brings',
}

/** Files that read recorded material beside the repository, which only some machines have. */
const readsMaterial = /\.real\.test\.ts$|^\.tools\/real-material\.ts$|^e2e\/lab\/commands\/captures\.ts$/

/** Returns the sentences of a file's comments, and the titles of its tests. */
function sentencesOf(file: string): string[] {
  const code = text(file)
  const comment = file.endsWith('.sql') ? /(?:^[ \t]*--[^\n]*\n?)+/gm : /\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/[^\n]*\n?)+/gm
  const sentences = [...code.matchAll(comment)].flatMap(([lines]) =>
    lines
      .replace(/^[ \t]*(\/\*+|\*\/|\*|\/\/|--)[ \t]?|\*\/\s*$/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .split(/(?<=[.!?:]) /),
  )
  const titles = [...code.matchAll(/(?<!\.)\b(?:it|test|describe)(?:\.\w+)*\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g)].map(
    ([, , title]) => title!.charAt(0).toUpperCase() + title!.slice(1),
  )
  return [...sentences, ...titles]
}

describe('the house rules', () => {
  it('test titles contain no codes of other documents', () => {
    const coded =
      /\b(?:it|test|describe)\b[^\n]*['"`](?:[TFI]\d{1,3}\b|[^'"`\n]*\((?:threats?|faults?) [TF]\d)|^\s*['"`][TFI]\d{1,3}: /m
    const tests = files.filter((file) => /\.test\.tsx?$/.test(file) && !file.endsWith('invariants.test.ts'))
    expect(breaking(tests, (file) => coded.test(text(file)))).toEqual([])
  })

  it('sentences and titles begin with their subject', () => {
    const prose = files.filter((file) => /^(shared|server|extension|e2e|\.tools)\/.*\.(ts|tsx|mjs|sql)$/.test(file))
    const inverted = prose.flatMap((file) =>
      sentencesOf(file)
        .filter((sentence) => /^(Who|What|Whoever|Whatever|Whose|Whom)\b/.test(sentence) && !sentence.endsWith('?'))
        .map((sentence) => `${file}: ${sentence}`),
    )
    expect(inverted).toEqual([])
  })

  it('prose links to documents and names no number of a section', () => {
    const prose = files.filter(
      (file) =>
        /\.(ts|tsx|mjs|sql|md|yml)$/.test(file) && !/\/fixtures\//.test(file) && file !== 'e2e/structure.test.ts',
    )
    const words = 'decisions?|specifications?|spec|platforms|architecture|threats?|faults?|chapters?|sections?'
    const numbered = new RegExp(`(?<!RFC \\d+,? )\\b(?:${words}),? \\(?\\d+[a-z]?(?:\\.\\d+)*[ ,.:;)]|§`, 'i')
    const numbers = prose.flatMap((file) =>
      [...sentencesOf(file), ...(file.endsWith('.md') ? text(file).split('\n') : [])]
        .filter((sentence) => numbered.test(`${sentence} `))
        .map((sentence) => `${file}: ${sentence}`),
    )
    expect(numbers).toEqual([])
  })

  it('alerts are called alarms only on the wire', () => {
    const code = files.filter((file) => /^(server|shared)\/.*\.(ts|sql)$/.test(file))
    const onTheWire =
      /\/alarms\/|'Alarm'|\b(list|dismiss|retry)Alarms?:|'(list|dismiss|retry)Alarms?'|['"]alarms['"]|alerts are alarms/g
    expect(breaking(code, (file) => /alarm/i.test(text(file).replace(onTheWire, '')))).toEqual([])
  })

  it('subjects of commits are at most 72 characters long', () => {
    const log = ['log', '--no-merges', '--format=%s', `--since=${sinceShortSubjects}`]
    const subjects = execFileSync('git', log, { encoding: 'utf8' }).split('\n')
    expect(subjects.filter((subject) => subject.length > 72)).toEqual([])
  })

  it('shared/ imports only itself and three portable packages', () => {
    // The command line runs on Node only. Nothing imports it.
    const apart = 'shared/client/cli.ts'
    const shared = files.filter((file) => file.startsWith('shared/') && file !== apart && isCode(file) && !isTest(file))
    expect(
      breaking(shared, (file) =>
        importsOf(file).some(
          (name) =>
            !['entities', 'nanoid', 'zod'].includes(name) && !name.startsWith('.') && !name.startsWith('#shared/'),
        ),
      ),
    ).toEqual([])
  })

  it('the extension and the server share only shared/', () => {
    const extension = files.filter((file) => file.startsWith('extension/') && isCode(file))
    const server = files.filter((file) => file.startsWith('server/') && isCode(file))
    expect(breaking(extension, (file) => importsOf(file).some((name) => name.startsWith('#server/')))).toEqual([])
    expect(breaking(server, (file) => importsOf(file).some((name) => name.startsWith('#extension/')))).toEqual([])
  })

  it('rooms of the server import only rooms below them', () => {
    const upward = productArrows('server/').filter(({ from, to }) => {
      const [above, below] = [serverRooms.indexOf(roomOf(from)), serverRooms.indexOf(roomOf(to))]
      return above !== -1 && below > above
    })
    expect(upward.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  it('every folder of the server is a known room', () => {
    const rooms = new Set(files.filter((file) => /^server\/[^/]+\//.test(file)).map(roomOf))
    expect([...rooms].filter((room) => ![...serverRooms, ...outsideProduct].includes(room))).toEqual([])
  })

  it('no folder has more than 24 entries', () => {
    const large = [...entriesOfFolders()]
      .filter(([, entries]) => [...entries].some((entry) => !entry.endsWith('.sql')) && entries.size > mostEntries)
      .map(([folder, entries]) => `${folder}: ${entries.size}`)
    expect(large).toEqual([])
  })

  it.each(features)('few files outside of its rooms name $feature', ({ names, rooms, most }) => {
    const product = files.filter((file) => /^(server|extension|shared|\.tools)\/.*\.(tsx?|sql|css)$/.test(file))
    const apart = /^server\/sandbox\/|\/migrations\/|schema\.sql$|\/queries\.ts$/
    const naming = product.filter(
      (file) => !isTest(file) && !apart.test(file) && !rooms.test(file) && names.test(text(file)),
    )
    expect(naming.length, naming.join('\n')).toBeLessThanOrEqual(most)
  })

  it('requests of the contract are answered in files named routes.ts', () => {
    const answering = files.filter((file) => file.startsWith('server/') && isCode(file) && !isTest(file))
    const elsewhere = breaking(
      answering,
      (file) => /\bHandlers</.test(text(file)) && posix.basename(file) !== 'routes.ts',
    )
    expect(elsewhere).toEqual(['server/http/mount.ts'])
  })

  it('the product imports the sandbox once', () => {
    const outside = productArrows('server/').filter(
      ({ from, to }) => !outsideProduct.includes(roomOf(from)) && outsideProduct.includes(roomOf(to)),
    )
    expect(outside.map(({ from, to }) => `${from} -> ${to}`)).toEqual(['server/main.ts -> server/sandbox/index.ts'])
  })

  it('the product never imports what tests it', () => {
    const product = files.filter((file) => /^(shared|server|extension)\//.test(file) && isCode(file) && !isTest(file))
    expect(product.length).toBeGreaterThan(500)
    expect(
      breaking(product, (file) => importsOf(file).some((name) => /^#e2e\/|\.\.\/e2e\/|\/testing\//.test(name))),
    ).toEqual([])
  })

  it('no two rooms of the extension import each other', () => {
    const arrows = productArrows('extension/').filter(({ to }) => to.startsWith('extension/'))
    const rooms = new Set(arrows.map(({ from, to }) => `${roomOf(from)} ${roomOf(to)}`))
    const mutual = [...rooms].filter((arrow) => {
      const [from, to] = arrow.split(' ')
      return from !== to && rooms.has(`${to} ${from}`)
    })
    expect(rooms.size).toBeGreaterThan(10)
    expect(mutual).toEqual([])
  })

  it('stand-ins share no code with the server that they test', () => {
    const shared = files
      .filter((file) => file.startsWith('server/sandbox/') && isCode(file) && !isTest(file))
      .flatMap((file) => importsOf(file).map((name) => `${file} -> ${name}`))
      .filter((arrow) => /-> #(?!server\/sandbox\/)/.test(arrow))
    expect(shared).toEqual([])
  })

  it('imports climb at most one level, then name the room', () => {
    const product = files.filter((file) => /^(server|extension)\//.test(file) && isCode(file))
    expect(breaking(product, (file) => importsOf(file).some((name) => name.startsWith('../../')))).toEqual([])
  })

  it('the environment is read in one place', () => {
    const server = files.filter((file) => file.startsWith('server/') && isCode(file) && !isTest(file))
    const entries = ['server/main.ts']
    expect(
      breaking(
        server,
        (file) => !entries.includes(file) && !/\/commands\//.test(file) && /process\.env\b/.test(text(file)),
      ),
    ).toEqual([])
  })

  it('certificates are always verified', () => {
    const own = files.filter((file) => isCode(file) && file !== 'e2e/structure.test.ts')
    expect(
      breaking(own, (file) => /rejectUnauthorized\s*:\s*false|NODE_TLS_REJECT|checkServerIdentity/.test(text(file))),
    ).toEqual([])
  })

  it('production has exactly the packages that it needs', () => {
    const { dependencies, devDependencies } = JSON.parse(text('package.json'))
    const commands = files.filter((file) => /^server\/.*\/commands\/[^/]+\.ts$/.test(file) && !isTest(file))
    const threads = ['accounts/passwords/hash', 'http/outbound/heic', 'catalog/inventory-files/read'].map(
      (thread) => `server/${thread}-worker.ts`,
    )
    const used = packagesOf(['server/main.ts', ...threads, ...commands])
    expect([...used].filter((name) => name in devDependencies)).toEqual([])
    // `node` runs the others.
    expect(Object.keys(dependencies).filter((name) => name !== 'node' && !used.has(name))).toEqual([])
  })

  it('names of files and folders are kebab-case', () => {
    const names = files.filter((file) => /^(shared|server|extension|e2e)\//.test(file) && isCode(file))
    expect(breaking(names, (file) => !/^[a-z0-9./-]+$/.test(file))).toEqual([])
  })

  it('each query is in lower case and has a comment', () => {
    const queries = files.filter((file) => posix.basename(file) === 'queries.sql')
    const statements = queries.flatMap((file) =>
      text(file)
        .split(/^-- name: /m)
        .slice(1)
        .map((each) => ({ name: `${posix.dirname(file)}: ${/^\w+/.exec(each)}`, lines: each.split('\n').slice(1) })),
    )
    expect(statements.length).toBeGreaterThan(500)
    const broken = statements.filter(({ lines }) => {
      const code = lines.join('\n').replace(/--.*$/gm, '')
      const comment = lines.filter((line) => line.startsWith('-- ') && !line.startsWith('-- type '))
      return comment.length === 0 || /\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE)\b/.test(code) || /;/.test(code)
    })
    expect(broken.map(({ name }) => name)).toEqual([])
  })

  it('a feature runs only its own queries', () => {
    const uses = files
      .filter((file) => file.startsWith('server/') && isCode(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((name) => name.endsWith('/queries.ts'))
          .map((name) => ({
            file,
            query: name.startsWith('#') ? name.slice(1) : posix.join(posix.dirname(file), name),
          })),
      )
    expect(uses.length).toBeGreaterThan(200)
    const foreign = uses.filter(({ file, query }) => !file.startsWith(`${featureOf(query)}/`))
    expect(foreign.map(({ file, query }) => `${file} uses ${query}`)).toEqual([])
  })

  it('work runs in a transaction that is run again after a deadlock', () => {
    const product = files.filter((file) => /^server\/.*\.ts$/.test(file) && !file.endsWith('.test.ts'))
    const bare = breaking(product, (file) => /\.(tx|txIf)\s*(<[^(]*>)?\(/.test(text(file)))
    expect(bare).toEqual(Object.keys(bareTransactions).sort())
  })

  it('no value is put into SQL unquoted', () => {
    const queries = files.filter((file) => file.endsWith('.sql'))
    const server = files.filter((file) => file.startsWith('server/') && isCode(file) && !isTest(file))
    const raw = /\$[{(<[/]\w+(:raw|\^|#|:value)[})>\]/]/
    expect(breaking([...queries, ...server], (file) => raw.test(text(file)))).toEqual([])
  })

  it('no file names a path of one machine', () => {
    const own = files.filter((file) => !['package-lock.json', 'e2e/structure.test.ts'].includes(file))
    expect(breaking(own, (file) => /(^|[\s"'`(=])\/(work|root|home\/\w+|Users\/\w+)\//m.test(text(file)))).toEqual([])
  })

  it('colors are the same on the pages and in the extension', () => {
    const tokens = (file: string) =>
      Object.fromEntries(
        [...text(file).matchAll(/--([\w-]+): (light-dark\(.*\));/g)].map(([, name, value]) => [name, value]),
      )
    const server = tokens('server/pages/assets/hapax.css')
    expect(Object.keys(server).length).toBeGreaterThan(9)
    expect(tokens('extension/app/shell/tokens.css')).toMatchObject(server)
  })

  it('only campaigns make a part of their rounds or points', () => {
    const tests = files.filter(
      (file) => /\.test\.tsx?$/.test(file) && file !== 'e2e/harness/campaigns/campaign.test.ts',
    )
    const inParts = tests.filter((file) => /\/campaigns\/campaign\.ts'|\batEachBorder\b/.test(text(file)))
    expect(breaking(inParts, (file) => !file.endsWith('.campaign.test.ts'))).toEqual([])
  })

  it('no test is skipped, focused or left to do', () => {
    const tests = files.filter((file) => /\.test\.tsx?$/.test(file) && file !== 'e2e/structure.test.ts')
    expect(breaking(tests, (file) => /\b(it|test|describe)(\.\w+)*\.(skip|only|todo)\b/.test(text(file)))).toEqual([])
    const conditions =
      /\b(it|test|describe)(\.\w+)*\.(skipIf|runIf)\b|\(\{ ?(\w+, )*skip\b[^)]*\) =>|\b(context|ctx)\.skip\(/
    expect(breaking(tests, (file) => conditions.test(text(file))).sort()).toEqual(Object.keys(needs).sort())
  })

  it('no test depends on files outside of the repository', () => {
    const code = files.filter((file) => isCode(file) && file !== 'e2e/structure.test.ts')
    const outside = breaking(code, (file) => /shared\/data\b/.test(text(file)))
    expect(outside.filter((file) => !readsMaterial.test(file))).toEqual([])
  })
})

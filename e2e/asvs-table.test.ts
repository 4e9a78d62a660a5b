import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = 'docs/asvs'
const states = ['met', 'operator', 'accepted', 'not met', 'not applicable']

const rows = readdirSync(folder)
  .filter((name) => /^v.*\.md$/.test(name))
  .flatMap((name) => readFileSync(`${folder}/${name}`, 'utf8').split('\n'))
  .flatMap((line) => {
    const [, id, state, reason] = /^\| (V\d+\.\d+\.\d+) [^|]+ \| ([^|]+) \| (.+) \|$/.exec(line) ?? []
    return id && state && reason ? [{ id, state, reason }] : []
  })
const filesIn = (text: string) => [...text.matchAll(/`([\w./-]+\/[\w.-]+\.tsx?)`/g)].map(([, file]) => file as string)

describe('the ASVS table', () => {
  it('lists each requirement of levels 1 and 2 once', () => {
    const ids = readFileSync(`${folder}/ids.txt`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0])
    expect(ids).toHaveLength(253)
    expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort())
  })

  it('names a state, and files that exist', () => {
    expect(rows.filter(({ state }) => !states.includes(state))).toEqual([])
    expect(rows.flatMap(({ reason }) => filesIn(reason)).filter((file) => !existsSync(file))).toEqual([])
  })

  it('names a file for what is met and a reason for the rest', () => {
    expect(rows.filter(({ state, reason }) => state === 'met' && filesIn(reason).length === 0)).toEqual([])
    expect(rows.filter(({ reason }) => reason.length < 4)).toEqual([])
  })

  it('lists every gap in its overview', () => {
    const overview = readFileSync(`${folder}/README.md`, 'utf8')
    expect(rows.filter(({ id, state }) => state === 'not met' && !overview.includes(id))).toEqual([])
  })
})

import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openedIn } from './testing/opened-in.ts'
import { type WayInName, waysIn } from './ways-in.ts'

/** Code that listens, connects, starts a thread or reads the body of a stranger. */
const opens =
  /\bcreateServer\(|\bcreateSocket\(|\.listen\(|new (?:\w+\.)?(?:SMTPServer|ImapFlow|Worker|Piscina|Resolver|Client|AwsClient|WebSocket|EventSource)\b|createTransport\(|createOwnThread[<(]|\bsharp\((?:picture\.)?bytes\b|(?<![\w.])fetch\(|\.fetch\(|\b(?:http|https|net|tls)\.(?:request|connect|get)\(|\b(?:readBody|openBody|jsonReader|safeRequest|boundedFetch|createExchange)\(|\bof (?:ctx\.)?req\b|\breq\.(?:on|pipe|iterator)\(|\brawBody\(|\brequest\.formData\(/
/** A declaration of a parameter or function of the same name opens nothing. */
const declared = /\bfunction createOwnThread\b|\basync fetch\(|\bfetch\(url: string/g

const product = globSync(['server/**/*.ts', 'extension/app/web/public/*.js']).filter(
  (path) => !/\.test\.ts$|\/testing\/|^server\/sandbox\//.test(path),
)

it('no file opens a way in that the table does not name', () => {
  expect(product.length).toBeGreaterThan(500)
  const opening = product.filter((path) => opens.test(readFileSync(path, 'utf8').replace(declared, '')))
  expect(opening.sort()).toEqual(Object.keys(openedIn).sort())
})

it('every way in is opened by a file', () => {
  const opened = new Set<WayInName>(Object.values(openedIn).flat())
  expect(Object.keys(waysIn).filter((name) => !opened.has(name as WayInName))).toEqual([])
})

it('the service worker keeps to the bounds of a share', () => {
  const { parts, bytes, allBytes, atOnce } = waysIn.share
  const bounds = { photos: parts, bytes, allBytes, waiting: atOnce.all }
  const [, text = ''] = /mostShared = (\{.+\})/.exec(readFileSync('extension/app/web/public/sw.js', 'utf8'))!
  expect(JSON.parse(text.replaceAll('_', '').replace(/(\w+):/g, '"$1":'))).toEqual(bounds)
})

it('a file names the ways in that it opens', () => {
  const named = Object.entries(openedIn).flatMap(([path, ways]) => {
    const text = readFileSync(path, 'utf8')
    return [...text.matchAll(/(?:(?:readBody|openBody)\(ctx, |jsonReader\(|boundedFetch\([\w.]+, |\bway: )'(\w+)'/g)]
      .filter(([, way]) => !ways.includes(way as WayInName))
      .map(([, way]) => `${path}: ${way}`)
  })
  expect(named).toEqual([])
})

// @vitest-environment happy-dom

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Browser } from 'webextension-polyfill'
import { signedInTo } from '#extension/testing/harness.ts'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import { announce } from './announce.ts'

/** Tabs that a script ran in, in order. */
let marked: number[]
let open: { id: number; url?: string }[]
const browser = {
  tabs: { query: async () => open },
  scripting: {
    executeScript: async ({
      target,
      func,
      args,
    }: {
      target: { tabId: number }
      func: (...args: string[]) => void
      args: string[]
    }) => {
      marked.push(target.tabId)
      func(...args)
    },
  },
}
const session = signedInTo(new StandInServer())
const storeOf = (kept: unknown) => ({ get: async () => kept, set: async () => {}, clear: async () => {} })
const announceAs = (changes: object = {}, tab?: { id: number; url?: string }) =>
  announce(browser as unknown as Browser, { store: storeOf({ ...session, ...changes }) }, tab)

beforeEach(() => {
  marked = []
  open = []
})
afterEach(() => {
  vi.restoreAllMocks()
  delete document.documentElement.dataset.hapaxExtension
})
const isMarked = () => 'hapaxExtension' in document.documentElement.dataset

describe('the announcement of the extension', () => {
  it.each([
    ['https://hapax.test/app/', true],
    ['https://hapax.test/app/?signed-in#shops', true],
    ['https://hapax.test/', false],
    ['https://hapax.test/items/itm_1', false],
    ['https://hapax.test/application', false],
    ['https://hapax.test:8443/app/', false],
    ['http://hapax.test/app/', false],
    ['https://hapax.test.evil.example/app/', false],
    ['https://evil.example/app/?https://hapax.test/app/', false],
    [undefined, false],
  ])('reaches %s: %s', async (url, reaches) => {
    await announceAs({}, { id: 7, ...(url && { url }) })
    open = [{ id: 8, ...(url && { url }) }]
    await announceAs()
    expect(marked).toEqual(reaches ? [7, 8] : [])
  })

  it.each([['expired'], ['leaving']])('is not made by a session that is %s', async (status) => {
    await announceAs({ status }, { id: 7, url: 'https://hapax.test/app/' })
    expect(marked).toEqual([])
  })

  it('leaves no mark in a page that took the place of the app meanwhile', async () => {
    const tab = { id: 7, url: 'https://hapax.test/app/' }
    await announceAs({}, tab)
    expect([marked, isMarked()]).toEqual([[7], false])
    const heard = vi.fn()
    document.addEventListener('hapax-extension', heard)
    await announceAs({ server: location.origin }, { id: 7, url: `${location.origin}/app/` })
    expect([isMarked(), heard.mock.calls.length]).toEqual([true, 1])
  })

  it('bears a tab that has closed', async () => {
    vi.spyOn(browser.scripting, 'executeScript').mockRejectedValue(new Error('No tab with id: 7'))
    await announceAs({}, { id: 7, url: 'https://hapax.test/app/' })
    expect(isMarked()).toBe(false)
  })
})

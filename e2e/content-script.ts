import type { Page } from 'puppeteer'
import { expect } from 'vitest'
import type { TestBrowser } from './browser.ts'

/**
 * Waits until the content script of the front page has shown the worker's answer; only then does it ask again.
 * `question`: the label of its button or panel.
 */
export async function waitForContentScript(
  { chrome }: { chrome: TestBrowser },
  page: Page,
  question: 'page.look' | 'page.tabTasks' = 'page.look',
): Promise<void> {
  const worker = await chrome.worker()
  await worker.evaluate(() => {
    const { runtime } = Reflect.get(globalThis, 'chrome')
    const asked: string[] | undefined = Reflect.get(globalThis, 'asked')
    if (asked) return void asked.splice(0)
    const all: string[] = []
    Reflect.set(globalThis, 'asked', all)
    runtime.onMessage.addListener(({ name }: { name: string }, { tab }: { tab?: { active: boolean } }) => {
      if (tab?.active) all.push(name)
    })
  })
  const timesAsked = async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    const asked = await worker.evaluate(() => Reflect.get(globalThis, 'asked') as string[])
    return asked.filter((name) => name === question).length
  }
  await expect.poll(timesAsked, { interval: 100 }).toBeGreaterThan(1)
}

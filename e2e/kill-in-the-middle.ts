import type { TestBrowser } from './browser.ts'
import type { Turnstile } from './sites/turnstile.ts'

const kills = 3

/** Ends the worker three times in the middle of the reading that `begin` begins, each time after `every` requests more. */
export async function killInTheMiddle(
  chrome: TestBrowser,
  requests: Turnstile,
  every: number,
  begin: () => Promise<void>,
): Promise<void> {
  let reached = requests.holdAfter(every)
  await begin()
  for (let kill = 1; kill <= kills; kill++) {
    const goOn = await reached()
    await chrome.killWorker()
    // The next stop stands before this one is left.
    if (kill < kills) reached = requests.holdAfter(every)
    goOn()
  }
}

import { buildExtension } from './build-extension.ts'

/** `npm run build:extension`: builds the development extension for Chrome and Edge, and for Firefox. */
for (const browser of ['chrome', 'firefox'] as const) {
  console.log(`${browser.padEnd(8)} ${await buildExtension(browser)}`)
}

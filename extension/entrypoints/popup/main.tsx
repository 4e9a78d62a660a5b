import { render } from 'preact'
import { runOn } from '#extension/app/host.ts'
import { App } from '#extension/app/popup/app.tsx'
import { messageHost } from '#extension/app/popup/message-host.ts'

runOn(messageHost)
const root = document.getElementById('app')
if (root) render(<App />, root)

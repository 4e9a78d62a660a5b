import { render } from 'preact'
import { runOn } from '#extension/app/host.ts'
import { messageHost } from '#extension/app/popup/message-host.ts'
import { App } from '#extension/app/shell/app.tsx'

runOn(messageHost)
const root = document.getElementById('app')
if (root) render(<App />, root)

import './nonce.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './main.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

// A new build has replaced the files this page was made of: begin again, once.
window.addEventListener('vite:preloadError', (event) => {
  const key = 'parley-reloaded';
  if (Date.now() - Number(sessionStorage.getItem(key)) < 30_000) return;
  event.preventDefault();
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
});

createRoot(document.getElementById('root')!).render(<App />);

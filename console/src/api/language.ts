const key = 'parley-language';

/** The language and region of whoever was last signed in here, such as `pt_PT`; null: they left it to the browser. */
export function chosenLanguage(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** For the next time that the console is loaded: what shows dates and numbers is made once, before anybody is known. */
export function keepLanguage(code: string | null | undefined): void {
  try {
    if (code) localStorage.setItem(key, code);
    else localStorage.removeItem(key);
  } catch {
    // A browser that stores nothing shows what its own region would.
  }
}

export function binariesPackage(): string;
export function linkLibraries(packageDirectory: string): void;

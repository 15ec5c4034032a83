<?php
// What every script in PHP shares: one line per step, in the form that the
// runner reads.

error_reporting(E_ALL & ~E_DEPRECATED & ~E_USER_DEPRECATED);
ini_set('display_errors', 'stderr');
ini_set('precision', '17');

define('ENDPOINT', getenv('QUEUES_ENDPOINT'));
define('BODY', getenv('QUEUES_BODY'));
$failed = 0;

class Skip extends Exception
{
}

// step runs one step: what it throws is its failure, and the next one runs.
function step(string $name, callable $run): void
{
    global $failed;
    try {
        $run();
        echo "ok $name\n";
    } catch (Skip $why) {
        echo "skip $name: ", $why->getMessage(), "\n";
    } catch (Throwable $why) {
        $failed = 1;
        echo "not ok $name: ", preg_replace('/\s+/', ' ', get_class($why).': '.$why->getMessage().' at line '.$why->getLine()), "\n";
    }
}

function same(string $what, $got, $want): void
{
    if ($got !== $want) {
        throw new Exception("$what: got ".var_export($got, true).', want '.var_export($want, true));
    }
}


function done(): void
{
    global $failed;
    echo "done\n";
    exit($failed);
}

// packaged tells the version of a package of Debian: unpacked, of which the
// runner has left a list, or installed.
function packaged(string $name): string
{
    $list = getenv('QUEUES_UNPACKED');
    if ($list === false) {
        return trim(shell_exec("dpkg-query -W -f='\${Version}' ".escapeshellarg($name)));
    }
    return preg_match('/^'.preg_quote($name, '/').' (.*)$/m', file_get_contents($list), $found) ? $found[1] : 'unknown';
}

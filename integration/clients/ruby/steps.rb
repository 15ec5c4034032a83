# What every script in Ruby shares: one line per step, in the form that the
# runner reads.
require 'digest/md5'
require 'uri'

$stdout.sync = true
ENDPOINT = ENV.fetch('QUEUES_ENDPOINT')
PLACE = URI(ENDPOINT)
BODY = ENV.fetch('QUEUES_BODY').dup.force_encoding('UTF-8')
MISSING = 'AWS.SimpleQueueService.NonExistentQueue'

$failed = false

# step runs one step: what it raises is its failure, and the next one runs.
def step(name)
  yield
  puts "ok #{name}"
rescue StandardError => e
  $failed = true
  puts "not ok #{name}: #{e.class}: #{e.message}".gsub(/\s+/, ' ')
end

def skip(name, why)
  puts "skip #{name}: #{why}"
end

def same(what, got, want)
  raise "#{what}: got #{got.inspect}, want #{want.inspect}" unless got == want
end

# caught gives what the block raises, of this class.
def caught(kind)
  yield
rescue kind => e
  e
else
  raise 'it did not fail'
end

def finish
  puts 'done'
  exit($failed ? 1 : 0)
end

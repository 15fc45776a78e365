# Asset packs as targets of CMake.
#
#   find_package(BAPackage REQUIRED)
#   ba_add_asset_pack(
#     NAME <target>            # the target, and the archive: <target>.aar
#     MANIFEST <file>          # relative to the current source folder
#     [OUTPUT <file.aar>]      # relative to the current binary folder; <target>.aar if not given
#     [SOURCE_ROOT <path>]     # instead of the manifest's, relative to the current source folder
#     [OPTIONS <option>…]      # more options of 'ba-package pack'
#     [ALL])                   # is built by default
#
# Ninja and CMake have no syntax for some characters in names, such as '#', '$', "'", '*' or a backslash: packing
# fails with an error for such a file, only where the generator is Ninja.
#
# The archive is made again when its manifest changes, a file in it, or the options, and when a file is new
# or gone. The property ASSET_PACK of the target names the archive. What needs the archive depends on the
# target (add_dependencies).
#
# BAPackage_EXECUTABLE is the program: the one beside this package, or else one that PATH leads to.
cmake_minimum_required(VERSION 3.20)

find_program(BAPackage_EXECUTABLE ba-package
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" DOC "The program that makes asset packs")
if(NOT BAPackage_EXECUTABLE)
  set(BAPackage_FOUND FALSE)
  set(BAPackage_NOT_FOUND_MESSAGE "ba-package is neither beside this package nor on PATH.")
  return()
endif()

function(ba_add_asset_pack)
  cmake_parse_arguments(PARSE_ARGV 0 pack "ALL" "NAME;MANIFEST;OUTPUT;SOURCE_ROOT" "OPTIONS")
  if(pack_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ba_add_asset_pack does not know '${pack_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT pack_NAME OR NOT pack_MANIFEST)
    message(FATAL_ERROR "ba_add_asset_pack needs a NAME and a MANIFEST")
  endif()
  if(NOT pack_OUTPUT)
    set(pack_OUTPUT "${pack_NAME}.aar")
  endif()
  if(NOT pack_OUTPUT MATCHES "\\.aar$")
    message(FATAL_ERROR "the OUTPUT of ba_add_asset_pack has to end in '.aar': '${pack_OUTPUT}'")
  endif()
  get_filename_component(manifest "${pack_MANIFEST}" ABSOLUTE)
  get_filename_component(archive "${pack_OUTPUT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  get_filename_component(folder "${archive}" DIRECTORY)
  set(options ${pack_OPTIONS})
  if(pack_SOURCE_ROOT)
    get_filename_component(root "${pack_SOURCE_ROOT}" ABSOLUTE)
    list(APPEND options --source-root "${root}")
  endif()
  set(all)
  if(pack_ALL)
    set(all ALL)
  endif()
  set(make_folder COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}")
  set(pack COMMAND "${BAPackage_EXECUTABLE}" pack "${manifest}" --quiet -o "${archive}")
  if(CMAKE_GENERATOR MATCHES "Ninja")
    add_custom_command(
      OUTPUT "${archive}"
      ${make_folder} ${pack} --force --depfile "${archive}.d" --depfile-format cmake ${options}
      DEPENDS "${manifest}" "${BAPackage_EXECUTABLE}"
      DEPFILE "${archive}.d"
      COMMENT "Packing ${pack_NAME}"
      VERBATIM)
    add_custom_target("${pack_NAME}" ${all} DEPENDS "${archive}")
  else()
    # The makefiles of CMake never forget a file that was in a depfile, and would pack for ever once it
    # is gone: here the program itself finds out what has changed, in milliseconds.
    add_custom_target("${pack_NAME}" ${all} ${make_folder} ${pack} --update ${options}
      BYPRODUCTS "${archive}" COMMENT "Updating ${pack_NAME}" VERBATIM)
  endif()
  set_target_properties("${pack_NAME}" PROPERTIES ASSET_PACK "${archive}")
endfunction()
